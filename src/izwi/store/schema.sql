-- The catalog: a queue and a ledger. What it says of captures and shards can be read again from
-- the WARC files; losing it costs only the queue of leads.

-- URLs someone proposed, and what became of each.
CREATE TABLE leads (
    id INTEGER PRIMARY KEY,        -- also the order in which they are asked
    url TEXT NOT NULL UNIQUE,      -- canonical
    host TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,            -- page, feed
    referrer TEXT NOT NULL,
    depth INTEGER NOT NULL,
    redirects INTEGER NOT NULL,
    hints TEXT NOT NULL,           -- JSON
    found TEXT NOT NULL,           -- when (UTC)
    state TEXT NOT NULL,           -- waiting, fetched, redirected, dropped, failed
    due REAL NOT NULL,             -- waiting: not before this moment (seconds since 1970)
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,          -- of the last attempt, if it did not bring a capture
    value REAL,
    threshold REAL,
    detail TEXT NOT NULL,
    decided TEXT NOT NULL          -- when its state last changed
);
CREATE INDEX leads_waiting ON leads (host, due, id) WHERE state = 'waiting';
CREATE INDEX leads_by_state ON leads (state, reason);

-- What a host's robots.txt said, and when it was asked.
CREATE TABLE hosts (
    host TEXT PRIMARY KEY,
    robots TEXT NOT NULL,
    robots_status INTEGER NOT NULL,
    asked REAL NOT NULL
);

-- HTTP exchanges kept, and where they lie.
CREATE TABLE captures (
    id INTEGER PRIMARY KEY,
    lead INTEGER NOT NULL REFERENCES leads (id),
    url TEXT NOT NULL,
    time TEXT NOT NULL,
    status INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    digest TEXT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    shard TEXT NOT NULL REFERENCES shards (name),
    "offset" INTEGER NOT NULL,
    length INTEGER NOT NULL
);
CREATE INDEX captures_by_shard ON captures (shard, "offset");
CREATE INDEX captures_by_url ON captures (url);

-- WARC files: how many of their bytes are committed.
CREATE TABLE shards (
    name TEXT PRIMARY KEY,
    state TEXT NOT NULL,           -- open, sealed
    committed INTEGER NOT NULL,
    content INTEGER NOT NULL       -- bytes of the bodies, which decide when a file is full
);

-- The last report of each stage on each shard: a cache of what the files say, and the failures.
CREATE TABLE artefacts (
    layer TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    shard TEXT NOT NULL,
    rows INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    error TEXT NOT NULL,
    damage TEXT NOT NULL,          -- extract: the state of a WARC file that could not be read whole
    PRIMARY KEY (layer, fingerprint, shard)
);

-- Every run of a command that writes.
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    command TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT NOT NULL,           -- empty while it runs, or if it was killed
    report TEXT NOT NULL           -- JSON
);
