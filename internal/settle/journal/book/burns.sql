-- What carrying a burn needs to know besides: when it was made and asked about,
-- the bytes that the issuer signed, why it waits, and the block it was minted in.

ALTER TABLE burns ADD COLUMN block BIGINT NOT NULL DEFAULT 0;
ALTER TABLE burns ADD COLUMN mined BIGINT NOT NULL DEFAULT 0;
ALTER TABLE burns ADD COLUMN asked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE burns ADD COLUMN signed BYTEA;
ALTER TABLE burns ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE burns ADD COLUMN mint_block BIGINT NOT NULL DEFAULT 0;
ALTER TABLE burns ADD COLUMN reason TEXT NOT NULL DEFAULT '';
CREATE INDEX burns_mint ON burns (mint_tx);
CREATE INDEX burns_order ON burns (order_id);
