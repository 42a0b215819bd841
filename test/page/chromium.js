// How the system's Chromium is started.

const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

export const options = { executablePath: process.env.CHROMIUM, args };
