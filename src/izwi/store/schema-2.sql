-- The frontier made small, for millions of URLs: hosts, origins and reasons are written once and
-- referred to by number; a URL is recognised by a 63-bit hash, not by an index of texts.

CREATE TABLE sites (
    id INTEGER PRIMARY KEY,        -- also the order in which ready hosts are asked
    host TEXT NOT NULL UNIQUE,     -- host and port, the unit of politeness
    robots TEXT NOT NULL DEFAULT '',
    robots_status INTEGER,         -- NULL until robots.txt was asked for
    asked REAL NOT NULL DEFAULT 0,
    not_before REAL NOT NULL DEFAULT 0,  -- a pause the host asked for (seconds since 1970)
    tdm TEXT NOT NULL DEFAULT '',  -- its /.well-known/tdmrep.json
    tdm_asked REAL NOT NULL DEFAULT 0,
    forms TEXT NOT NULL DEFAULT '' -- JSON: which forms of URL the host was seen to prefer
);
INSERT INTO sites (host, robots, robots_status, asked)
    SELECT host, robots, robots_status, asked FROM hosts ORDER BY rowid;
DROP TABLE hosts;
ALTER TABLE sites RENAME TO hosts;

-- Who proposed leads, from where: one row for all links of a page.
CREATE TABLE origins (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,            -- page, feed, sitemap
    referrer TEXT NOT NULL,
    depth INTEGER NOT NULL,
    redirects INTEGER NOT NULL,
    found TEXT NOT NULL            -- when (UTC)
);

-- Takes the place of `leads` when the old ones are in it.
CREATE TABLE new_leads (
    id INTEGER PRIMARY KEY,        -- also the order in which they are asked
    host INTEGER NOT NULL,
    is_secure INTEGER NOT NULL,    -- 0 http, 1 https
    path TEXT NOT NULL,            -- canonical, with the query
    origin INTEGER NOT NULL,
    state INTEGER NOT NULL,        -- 0 waiting, 1 fetched, 2 redirected, 3 dropped, 4 failed
    due INTEGER NOT NULL           -- waiting: not before this moment (seconds since 1970; 0 at once)
);

-- Which URLs are known: 63 bits of the hash of each.
CREATE TABLE addresses (
    hash INTEGER PRIMARY KEY,
    lead INTEGER NOT NULL
);

-- What the place that proposed a lead says of it, if anything (JSON).
CREATE TABLE hints (
    lead INTEGER PRIMARY KEY,
    hints TEXT NOT NULL
);

-- What became of leads; a page that was simply fetched has its capture instead.
CREATE TABLE outcomes (
    lead INTEGER PRIMARY KEY,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,          -- of the last attempt, if it did not bring a capture
    value REAL,
    threshold REAL,
    detail TEXT NOT NULL,
    decided TEXT NOT NULL          -- when its state last changed
);

-- What lets a server say "not modified", and how long a feed rests.
CREATE TABLE visits (
    lead INTEGER PRIMARY KEY,
    etag TEXT NOT NULL DEFAULT '',
    modified TEXT NOT NULL DEFAULT '',
    rest REAL NOT NULL DEFAULT 0   -- seconds until a feed or site map is asked again; 0 for pages
);
CREATE INDEX visits_of_lists ON visits (lead) WHERE rest > 0;
CREATE INDEX captures_by_lead ON captures (lead, time);

-- Links that belong to a trap and were never queued, counted by pattern: a trap has no end of them.
CREATE TABLE refusals (
    pattern TEXT NOT NULL,         -- host, first folder or shape of the URLs
    reason TEXT NOT NULL,
    source TEXT NOT NULL,
    links INTEGER NOT NULL,
    threshold REAL,
    decided TEXT NOT NULL,         -- when the last of them was met
    PRIMARY KEY (pattern, reason, source)
);

-- How much a pattern of URLs still may cost before it has to bring something new.
CREATE TABLE patterns (
    hash INTEGER PRIMARY KEY,
    credit INTEGER NOT NULL
);
