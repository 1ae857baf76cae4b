-- How many leads came to what: kept while leads change, so that nobody counts them all to know.

CREATE TABLE tallies (
    state INTEGER NOT NULL,
    reason TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (state, reason, source, kind)
) WITHOUT ROWID;
CREATE INDEX outcomes_by_reason ON outcomes (reason, lead) WHERE reason <> '';

INSERT INTO tallies SELECT state, coalesce(reason, ''), source, kind, count(*)
FROM leads JOIN origins ON origins.id = leads.origin LEFT JOIN outcomes ON outcomes.lead = leads.id
GROUP BY 1, 2, 3, 4;

CREATE TRIGGER leads_added AFTER INSERT ON leads BEGIN
    INSERT INTO tallies SELECT new.state, '', source, kind, 1 FROM origins WHERE id = new.origin
    ON CONFLICT DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER leads_changed AFTER UPDATE OF state, origin ON leads
WHEN old.state <> new.state OR old.origin <> new.origin BEGIN
    UPDATE tallies SET number = number - 1 WHERE (state, reason, source, kind) = (
        SELECT old.state, coalesce((SELECT reason FROM outcomes WHERE lead = old.id), ''),
            source, kind FROM origins WHERE id = old.origin);
    INSERT INTO tallies
        SELECT new.state, coalesce((SELECT reason FROM outcomes WHERE lead = new.id), ''),
            source, kind, 1 FROM origins WHERE id = new.origin
    ON CONFLICT DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER outcomes_added AFTER INSERT ON outcomes WHEN new.reason <> '' BEGIN
    UPDATE tallies SET number = number - 1 WHERE (state, reason, source, kind) = (
        SELECT state, '', source, kind FROM leads JOIN origins ON origins.id = leads.origin
        WHERE leads.id = new.lead);
    INSERT INTO tallies SELECT state, new.reason, source, kind, 1
        FROM leads JOIN origins ON origins.id = leads.origin WHERE leads.id = new.lead
    ON CONFLICT DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER outcomes_changed AFTER UPDATE OF reason ON outcomes WHEN old.reason <> new.reason
BEGIN
    UPDATE tallies SET number = number - 1 WHERE (state, reason, source, kind) = (
        SELECT state, old.reason, source, kind FROM leads JOIN origins ON origins.id = leads.origin
        WHERE leads.id = old.lead);
    INSERT INTO tallies SELECT state, new.reason, source, kind, 1
        FROM leads JOIN origins ON origins.id = leads.origin WHERE leads.id = new.lead
    ON CONFLICT DO UPDATE SET number = number + 1;
END;

CREATE TRIGGER outcomes_removed AFTER DELETE ON outcomes WHEN old.reason <> '' BEGIN
    UPDATE tallies SET number = number - 1 WHERE (state, reason, source, kind) = (
        SELECT state, old.reason, source, kind FROM leads JOIN origins ON origins.id = leads.origin
        WHERE leads.id = old.lead);
    INSERT INTO tallies SELECT state, '', source, kind, 1
        FROM leads JOIN origins ON origins.id = leads.origin WHERE leads.id = old.lead
    ON CONFLICT DO UPDATE SET number = number + 1;
END;
