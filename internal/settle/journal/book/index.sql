-- Questions that are asked with every round, or with every scrape, and that would
-- else read every order or every task there ever was: how many orders are in a
-- state and since when, which paid deposits are not released, and what is sent.
CREATE INDEX orders_state ON orders (state, since);
CREATE INDEX tasks_sent ON tasks (kind, subject) WHERE progress = 'sent';
