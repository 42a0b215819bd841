-- A database that was restored or failed over with a loss gives out an epoch a
-- second time. The token is random, so that two writers never have both the same.
ALTER TABLE lease ADD COLUMN token TEXT NOT NULL DEFAULT '';
