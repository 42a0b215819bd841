-- The watcher asks for what is not final on a chain with every poll, and for
-- what is above a block when a chain is reorganised.
CREATE INDEX facts_open ON facts (chain, block) WHERE proof < 4 AND NOT gone;
CREATE INDEX facts_block ON facts (chain, block);
CREATE INDEX facts_event ON facts (chain, event) WHERE event = 'credited';
CREATE INDEX orders_source ON orders (src_chain, src_pool);
