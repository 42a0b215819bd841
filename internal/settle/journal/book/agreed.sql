-- One endpoint alone may make up a burn. Nobody is told of it before a second one
-- says the same, or the issuer signs it.
ALTER TABLE burns ADD COLUMN agreed BOOLEAN NOT NULL DEFAULT TRUE;
CREATE INDEX burns_doubted ON burns (domain, mined) WHERE NOT agreed;
