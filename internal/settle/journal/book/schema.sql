-- One schema for both databases. Times are milliseconds since 1970, 0 for none;
-- amounts are decimal text, since they have up to 256 bits.

CREATE TABLE lease (
  scope  TEXT PRIMARY KEY,
  epoch  BIGINT NOT NULL,
  holder TEXT NOT NULL,
  until  BIGINT NOT NULL
);
INSERT INTO lease VALUES ('settler', 0, '', 0);

CREATE TABLE cursors (
  chain  BIGINT NOT NULL,
  pass   TEXT NOT NULL CHECK (pass IN ('head', 'final', 'burn')),
  number BIGINT NOT NULL,
  hash   BYTEA NOT NULL,
  PRIMARY KEY (chain, pass)
);

CREATE TABLE census (
  chain    BIGINT NOT NULL,
  contract BYTEA NOT NULL,
  number   BIGINT NOT NULL,
  hash     BYTEA NOT NULL,
  orders   BIGINT NOT NULL,
  held     TEXT NOT NULL,
  sums     TEXT NOT NULL,
  PRIMARY KEY (chain, contract)
);

CREATE TABLE orders (
  id          BYTEA PRIMARY KEY,
  generation  BIGINT NOT NULL,
  running     BIGINT NOT NULL,
  src_chain   BIGINT NOT NULL,
  src_pool    BYTEA NOT NULL,
  dst_chain   BIGINT NOT NULL,
  dst_pool    BYTEA NOT NULL,
  asset       BYTEA NOT NULL,
  amount      TEXT NOT NULL,
  pays        TEXT NOT NULL,
  burn        BOOLEAN NOT NULL,
  deadline    BIGINT NOT NULL,
  body        BYTEA NOT NULL,
  src_tx      BYTEA NOT NULL,
  src_log     BIGINT NOT NULL,
  src_block   BIGINT NOT NULL,
  src_hash    BYTEA NOT NULL,
  proof       BIGINT NOT NULL CHECK (proof BETWEEN 0 AND 4),
  burn_key    BYTEA NOT NULL,
  state       TEXT NOT NULL,
  reason      TEXT NOT NULL,
  since       BIGINT NOT NULL,
  not_before  BIGINT NOT NULL,
  revision    BIGINT NOT NULL,
  refused_why TEXT NOT NULL,
  refused_end BOOLEAN NOT NULL,
  refused_at  BIGINT NOT NULL,
  refusals    BIGINT NOT NULL
);
CREATE INDEX orders_due ON orders (not_before) WHERE state <> 'closed';
CREATE INDEX orders_tx ON orders (src_tx);

CREATE TABLE facts (
  order_id BYTEA NOT NULL,
  event    TEXT NOT NULL,
  chain    BIGINT NOT NULL,
  tx       BYTEA NOT NULL,
  log      BIGINT NOT NULL,
  block    BIGINT NOT NULL,
  hash     BYTEA NOT NULL,
  at       BIGINT NOT NULL,
  proof    BIGINT NOT NULL CHECK (proof BETWEEN 0 AND 4),
  gone     BOOLEAN NOT NULL,
  PRIMARY KEY (order_id, event, chain, tx, log)
);
CREATE INDEX facts_tx ON facts (tx);

CREATE TABLE burns (
  key         BYTEA PRIMARY KEY,
  domain      BIGINT NOT NULL,
  tx          BYTEA NOT NULL,
  log         BIGINT NOT NULL,
  way         TEXT NOT NULL CHECK (way IN ('in', 'out', 'back')),
  sent        BYTEA NOT NULL,
  nonce       BYTEA,
  attestation BYTEA,
  status      TEXT NOT NULL,
  delay       TEXT NOT NULL,
  expires     BIGINT NOT NULL,
  asks        BIGINT NOT NULL,
  next_ask    BIGINT NOT NULL,
  order_id    BYTEA NOT NULL,
  mint_tx     BYTEA NOT NULL,
  UNIQUE (domain, tx, log),
  UNIQUE (domain, nonce)
);
CREATE INDEX burns_due ON burns (next_ask) WHERE next_ask > 0;
CREATE INDEX burns_tx ON burns (tx);

CREATE TABLE tasks (
  id       BIGINT PRIMARY KEY,
  subject  BYTEA NOT NULL,
  kind     TEXT NOT NULL,
  chain    BIGINT NOT NULL,
  progress TEXT NOT NULL CHECK (progress IN ('ready', 'sent', 'done', 'void')),
  basis    TEXT NOT NULL,
  tag      BIGINT NOT NULL,
  reserved TEXT NOT NULL,
  made     BIGINT NOT NULL,
  loss     BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX tasks_open ON tasks (subject, kind) WHERE progress IN ('ready', 'sent');
CREATE INDEX tasks_subject ON tasks (subject);
CREATE INDEX tasks_ready ON tasks (chain) WHERE progress = 'ready';
CREATE INDEX tasks_loss ON tasks (made) WHERE loss;
CREATE INDEX tasks_reserved ON tasks (id) WHERE reserved <> '0';

CREATE TABLE nonces (
  chain  BIGINT NOT NULL,
  key    BYTEA NOT NULL,
  nonce  BIGINT NOT NULL,
  state  TEXT NOT NULL CHECK (state IN ('sent', 'mined', 'final', 'foreign')),
  filler BOOLEAN NOT NULL,
  mined  BYTEA NOT NULL,
  block  BIGINT NOT NULL,
  hash   BYTEA NOT NULL,
  PRIMARY KEY (chain, key, nonce)
);
CREATE INDEX nonces_open ON nonces (chain, key) WHERE state IN ('sent', 'mined');

CREATE TABLE links (
  chain BIGINT NOT NULL,
  key   BYTEA NOT NULL,
  nonce BIGINT NOT NULL,
  task  BIGINT NOT NULL REFERENCES tasks (id),
  PRIMARY KEY (chain, key, nonce, task),
  FOREIGN KEY (chain, key, nonce) REFERENCES nonces (chain, key, nonce)
);
CREATE INDEX links_task ON links (task);

CREATE TABLE attempts (
  hash       BYTEA PRIMARY KEY,
  chain      BIGINT NOT NULL,
  key        BYTEA NOT NULL,
  nonce      BIGINT NOT NULL,
  raw        BYTEA NOT NULL,
  tip        TEXT NOT NULL,
  cap        TEXT NOT NULL,
  gas        BIGINT NOT NULL,
  made       BIGINT NOT NULL,
  epoch      BIGINT NOT NULL,
  sent       BIGINT NOT NULL,
  sends      BIGINT NOT NULL,
  last_error TEXT NOT NULL,
  FOREIGN KEY (chain, key, nonce) REFERENCES nonces (chain, key, nonce)
);
CREATE INDEX attempts_nonce ON attempts (chain, key, nonce);

CREATE TABLE wishes (
  id      BYTEA PRIMARY KEY,
  subject BYTEA NOT NULL,
  verb    TEXT NOT NULL,
  who     TEXT NOT NULL,
  at      BIGINT NOT NULL,
  done    BIGINT NOT NULL,
  result  TEXT NOT NULL
);
CREATE INDEX wishes_open ON wishes (at) WHERE done = 0;
