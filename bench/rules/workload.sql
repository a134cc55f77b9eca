-- A made-up story of `events` events: about eight base facts per event, the same on every machine.
--
-- Chance is arithmetic: `draw(stream, i, n)` mixes two integers into one below n (lowbias32), so that no
-- library version can change the data. Streams keep the columns of one row independent of each other.

CREATE MACRO low(x) AS x & 4294967295::UBIGINT;
CREATE MACRO stir(x, shift, factor) AS low(xor(x, x >> shift) * factor::UBIGINT);
CREATE MACRO mixed(x) AS stir(stir(low(x::UBIGINT), 16::UBIGINT, 2146121005), 15::UBIGINT, 2221713035) >> 1::UBIGINT;
CREATE MACRO draw(stream, i, n) AS
  (mixed(mixed(stream * 2654435769) + i::UBIGINT)::BIGINT % greatest(1, n)::BIGINT);

CREATE MACRO events() AS getvariable('events')::BIGINT;
CREATE MACRO subjects() AS greatest(2, events() // 20);
CREATE MACRO characters() AS events() // 50 + 10;
CREATE MACRO things() AS events() // 100 + 10;
CREATE MACRO scenes() AS greatest(1, events() // 5);
CREATE MACRO plotlines() AS greatest(1, events() // 50);
CREATE MACRO plots() AS events() // 500 + 1;

CREATE TABLE event AS
  SELECT 'e' || i AS e, i AS t FROM range(1, events() + 1) r(i);

CREATE TABLE actor AS
  SELECT 'e' || i AS e, 'c' || draw(1, i, characters()) AS c FROM range(1, events() + 1) r(i);

-- Three states per event. A share of them (`skew`, in percent) is about one subject, the hero.
CREATE TEMP TABLE happening AS
  SELECT i, i // 3 + 1 AS t,
         if(draw(2, i, 100) < getvariable('skew'), 0, draw(3, i, subjects())) AS subj,
         ['location', 'possession', 'status', 'relation', 'goal', 'emotion'][draw(4, i, 6) + 1] AS pred,
         draw(5, i, things()) AS obj
  FROM range(3 * events()) r(i);

CREATE TABLE state AS
  SELECT 's' || i AS s, 'subj' || subj AS subj, pred, 'o' || obj AS obj, t FROM happening ORDER BY i;

-- Each character follows about fifteen neighbouring subjects and learns of a state a little later.
CREATE TEMP TABLE story_of AS
  SELECT subj, i, t, row_number() OVER (PARTITION BY subj ORDER BY i) - 1 AS nth, count(*) OVER (PARTITION BY subj) AS size
  FROM happening;

CREATE TEMP TABLE glimpse AS
  SELECT i, c, (c * 7 + draw(7, i, least(15, subjects()))) % subjects() AS subj
  FROM (SELECT i, draw(6, i, characters()) AS c FROM range(3 * events()) r(i));

CREATE TEMP TABLE learning AS
  SELECT min(g.i) AS i, g.c, h.i AS s, least(events(), h.t + draw(9, g.i, greatest(2, events() // 100))) AS t,
         ['saw', 'heard', 'told', 'read'][draw(10, g.i, 4) + 1] AS mode
  FROM glimpse g
  JOIN (SELECT DISTINCT subj, size FROM story_of) c ON c.subj = g.subj
  JOIN story_of h ON h.subj = g.subj AND h.nth = draw(8, g.i, c.size)
  GROUP BY ALL;

CREATE TABLE access AS
  SELECT 'c' || c AS c, 's' || s AS s, t, mode FROM learning ORDER BY i;

-- Event in scene in plotline in plot; one event in twenty stands in a second scene.
CREATE TABLE member AS
  SELECT 'e' || i AS x, 'sc' || draw(11, i, scenes()) AS y FROM range(1, events() + 1) r(i)
  UNION
  SELECT 'e' || i, 'sc' || draw(12, i, scenes()) FROM range(1, events() + 1) r(i) WHERE draw(13, i, 20) = 0
  UNION ALL
  SELECT 'sc' || i, 'pl' || draw(14, i, plotlines()) FROM range(scenes()) r(i)
  UNION ALL
  SELECT 'pl' || i, 'plot' || draw(15, i, plots()) FROM range(plotlines()) r(i)
  ORDER BY ALL;

CREATE TABLE plot AS
  SELECT 'plot' || i AS p FROM range(plots()) r(i);

-- One character in fifty dies in the last tenth of the story.
CREATE TABLE dead AS
  SELECT 'c' || i * 50 AS c, events() * 9 // 10 + draw(16, i, greatest(1, events() // 10)) AS t
  FROM range(greatest(1, characters() // 50)) r(i);

-- Knowledge used in a later deed of the same character; one use in twenty is of something drawn blindly.
CREATE TEMP TABLE deed AS
  SELECT draw(1, i, characters()) AS c, i AS t,
         row_number() OVER (PARTITION BY draw(1, i, characters()) ORDER BY i) - 1 AS nth,
         count(*) OVER (PARTITION BY draw(1, i, characters())) AS size
  FROM range(1, events() + 1) r(i);

CREATE TEMP TABLE known AS
  SELECT row_number() OVER (ORDER BY i) - 1 AS nth, c, s, t FROM learning;

CREATE TEMP TABLE recall AS
  SELECT i, known.c, if(draw(18, i, 20) = 0, draw(19, i, 3 * events()), known.s) AS s, known.t
  FROM (SELECT i, draw(17, i, (SELECT count(*) FROM known)) AS nth FROM range(events() // 2) r(i)) JOIN known USING (nth);

CREATE TABLE uses AS
  SELECT DISTINCT 'e' || later.t AS e, 'c' || recall.c AS c, 's' || recall.s AS s
  FROM recall
  ASOF JOIN deed AS first ON first.c = recall.c AND first.t >= recall.t
  JOIN deed AS later ON later.c = recall.c AND later.nth = first.nth + draw(20, recall.i, first.size - first.nth)
  ORDER BY ALL;
