-- How many leads came to what, as schema-tallies.sql has it; but every change is a row of its own,
-- which the end of a run adds up: several gatherers would wait for each other at one row.

-- What another gatherer writes meanwhile waits, and is counted.
LOCK TABLE leads, outcomes IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE tallies (
    state INTEGER NOT NULL,
    reason TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER NOT NULL
);
CREATE INDEX outcomes_by_reason ON outcomes (reason, lead) WHERE reason <> '';

INSERT INTO tallies SELECT state, coalesce(reason, ''), source, kind, count(*)
FROM leads JOIN origins ON origins.id = leads.origin LEFT JOIN outcomes ON outcomes.lead = leads.id
GROUP BY 1, 2, 3, 4;

CREATE FUNCTION tally_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.state = NEW.state AND OLD.origin = NEW.origin THEN RETURN NULL; END IF;
        INSERT INTO tallies
            SELECT OLD.state, coalesce((SELECT reason FROM outcomes WHERE lead = OLD.id), ''),
                source, kind, -1 FROM origins WHERE id = OLD.origin;
    END IF;
    INSERT INTO tallies
        SELECT NEW.state, coalesce((SELECT reason FROM outcomes WHERE lead = NEW.id), ''),
            source, kind, 1 FROM origins WHERE id = NEW.origin;
    RETURN NULL;
END $$;
CREATE TRIGGER leads_tallied AFTER INSERT OR UPDATE OF state, origin ON leads
FOR EACH ROW EXECUTE FUNCTION tally_lead();

CREATE FUNCTION tally_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was TEXT := CASE WHEN TG_OP = 'INSERT' THEN '' ELSE OLD.reason END;
    is_now TEXT := CASE WHEN TG_OP = 'DELETE' THEN '' ELSE NEW.reason END;
    of_lead BIGINT := CASE WHEN TG_OP = 'DELETE' THEN OLD.lead ELSE NEW.lead END;
BEGIN
    IF was = is_now THEN RETURN NULL; END IF;
    INSERT INTO tallies SELECT state, changed.reason, source, kind, changed.number
        FROM leads JOIN origins ON origins.id = leads.origin,
            (VALUES (was, -1), (is_now, 1)) AS changed (reason, number)
        WHERE leads.id = of_lead;
    RETURN NULL;
END $$;
CREATE TRIGGER outcomes_tallied AFTER INSERT OR DELETE OR UPDATE OF reason ON outcomes
FOR EACH ROW EXECUTE FUNCTION tally_outcome();
