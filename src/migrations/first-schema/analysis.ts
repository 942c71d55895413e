import type { SchemaArea } from './schema-area.js';

/** What was found in documents, what was proposed for them, and what accounts say about their words. */
export const ANALYSIS: SchemaArea = {
  up: `
CREATE TABLE analyses (
  id uuid CONSTRAINT analyses_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  document_id uuid NOT NULL,
  document_version integer NOT NULL,
  -- Of everything but the text that decides what is found. The same version under the same settings is analysed once.
  settings_hash text NOT NULL,
  -- Null where the text shows nothing to judge.
  overall real,
  -- As answers show it.
  result json NOT NULL,
  -- What was found in each paragraph, for the next analysis; only the newest of a document keeps it.
  paragraphs json,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT analyses_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX analyses_document_id_version_idx ON analyses (document_id, document_version, settings_hash);
CREATE INDEX analyses_document_id_created_at_idx ON analyses (document_id, created_at, id);

CREATE TABLE enhancements (
  id uuid CONSTRAINT enhancements_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  document_id uuid NOT NULL,
  -- What it was made from, and the version whose content the ranges of its suggestions are in.
  base_version integer NOT NULL,
  text_version integer NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  -- That makes it: what has failed is told there.
  job_id uuid NOT NULL,
  -- Whether nobody asked for it: aiSettings.autoEnhance.
  automatic boolean NOT NULL,
  goals json NOT NULL,
  instructions text,
  settings json NOT NULL,
  -- As answers show them, and how many have which status.
  suggestions json NOT NULL,
  counts json NOT NULL,
  notes json NOT NULL,
  engine json NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT enhancements_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT enhancements_status_check
    CHECK ("status" IN ('pending', 'proposed', 'applied', 'partially_applied', 'rejected', 'stale'))
);
CREATE INDEX enhancements_document_id_created_at_idx ON enhancements (document_id, created_at, id);

-- A finding that somebody does not want to see again, in this sentence of this document, wherever it moves.
CREATE TABLE dismissals (
  id uuid CONSTRAINT dismissals_pkey PRIMARY KEY,
  document_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- Hash of rule, passage and sentence.
  fingerprint text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT dismissals_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX dismissals_document_id_fingerprint_idx ON dismissals (document_id, fingerprint);
CREATE INDEX dismissals_document_id_created_at_idx ON dismissals (document_id, created_at, id);

-- Documents whose text changed since something was last proposed for them, where aiSettings.autoEnhance is true.
CREATE TABLE due_enhancements (
  document_id uuid CONSTRAINT due_enhancements_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  -- By the clock of the process that changed it.
  changed_at timestamptz(3) NOT NULL,
  CONSTRAINT due_enhancements_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX due_enhancements_changed_at_idx ON due_enhancements (changed_at);

CREATE FUNCTION note_due_enhancement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_enhancements AS due (document_id, account_id, changed_at)
  VALUES (NEW.id, NEW.account_id, NEW.updated_at)
  ON CONFLICT (document_id) DO UPDATE SET changed_at = EXCLUDED.changed_at;
  RETURN NULL;
END
$$;
-- The conditions are judged before anything is queued: other documents pay next to nothing.
CREATE TRIGGER enhance_added AFTER INSERT ON documents FOR EACH ROW
  WHEN (NEW.ai_settings ->> 'autoEnhance' = 'true') EXECUTE FUNCTION note_due_enhancement();
CREATE TRIGGER enhance_changed AFTER UPDATE OF content ON documents FOR EACH ROW
  WHEN (NEW.ai_settings ->> 'autoEnhance' = 'true' AND NEW.content <> OLD.content)
  EXECUTE FUNCTION note_due_enhancement();

-- Words and terms that are right in the texts of an account.
CREATE TABLE dictionary_words (
  account_id uuid NOT NULL,
  word text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT dictionary_words_pkey PRIMARY KEY (account_id, word)
);

-- Every state of an account's house rules; at most one is active.
CREATE TABLE style_rule_sets (
  account_id uuid NOT NULL,
  version integer NOT NULL,
  rules json NOT NULL,
  is_active boolean NOT NULL DEFAULT false,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT style_rule_sets_pkey PRIMARY KEY (account_id, version)
);
CREATE UNIQUE INDEX style_rule_sets_active_idx ON style_rule_sets (account_id) WHERE is_active;

-- How an account has its texts analysed; without a row, offline.
CREATE TABLE analysis_settings (
  account_id uuid CONSTRAINT analysis_settings_pkey PRIMARY KEY,
  provider text NOT NULL DEFAULT 'offline',
  -- A fall of the overall score by more than this emits document.quality_dropped; null never does.
  quality_drop real,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT analysis_settings_provider_check CHECK ("provider" IN ('offline', 'model'))
);

-- What an account has used on a day (UTC): analyses, and tokens of a model, reserved ones included.
CREATE TABLE analysis_usage (
  account_id uuid NOT NULL,
  day date NOT NULL,
  analyses integer NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  CONSTRAINT analysis_usage_pkey PRIMARY KEY (account_id, day)
);

-- Tokens that are counted there for a call of a model whose end is not known yet; given back when they expire.
CREATE TABLE token_reservations (
  id uuid CONSTRAINT token_reservations_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  day date NOT NULL,
  tokens integer NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX token_reservations_expires_at_idx ON token_reservations (expires_at);
`,
  down: `
DROP TRIGGER enhance_added ON documents;
DROP TRIGGER enhance_changed ON documents;
DROP FUNCTION note_due_enhancement();
DROP TABLE token_reservations, analysis_usage, analysis_settings, style_rule_sets, dictionary_words, due_enhancements,
  dismissals, enhancements, analyses;
`,
};
