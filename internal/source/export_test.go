package source

// MaxHops lets a test write a header that is one proxy too long.
const MaxHops = maxHops
