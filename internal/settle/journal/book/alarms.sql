-- Alerts that outlive the settler that raised them: those that stop a chain, and
-- those of orders that are not looked at any more. Subject is the order, or the
-- final block that was lost; accepted is when an operator said to go on.
CREATE TABLE alarms (
  chain    BIGINT NOT NULL,
  name     TEXT NOT NULL,
  subject  BYTEA NOT NULL,
  since    BIGINT NOT NULL,
  accepted BIGINT NOT NULL,
  PRIMARY KEY (chain, name, subject)
);
