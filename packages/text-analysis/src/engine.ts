import { createHash } from 'node:crypto';
import type {
  AccountRules,
  AnalysisResult,
  Check,
  Finding,
  Issue,
  KeptParagraph,
  LanguageGuess,
  TextRange,
  UnsupportedCheck,
} from './analysis.js';
import { settingsWarnings, CHECKS } from './analysis.js';
import type { AnalysisOutcome, AnalysisRequest } from './analysis-request.js';
import { OFFLINE_ENGINE } from './engine-version.js';
import { English } from './english/english.js';
import {
  harperWork,
  lintsByText,
  type Harper,
  type HarperLint,
  type HarperWork,
  type IndexedLints,
} from './english/harper.js';
import { languageModel } from './english/language-model.js';
import { wordOrderOf } from './english/word-order.js';
import { StyleRulesCache } from './style-rules.js';
import { fitting, issuesOf, listedIssues } from './issues.js';
import { LanguageDetector, UNDETERMINED, type DetectedLanguage } from './language/language.js';
import { paragraphsOf } from './paragraphs.js';
import type { Paragraph } from './text/prose.js';
import { codeWords } from './text/code-words.js';
import { readingOf } from './text/reading.js';
import { requestedLanguage } from './language/requested-language.js';
import { sentencesOf, wordsOf } from './text/sentences.js';
import type { Dictionary } from './spelling/dictionary.js';
import type { EnglishVariant } from './spelling/english.js';
import { englishFrequencies } from './spelling/english-frequencies.js';
import { Dictionaries } from './spelling/hunspell.js';
import { GermanGrammar } from './grammar/german.js';
import { wrongForms } from './grammar/wrong-forms.js';
import { misspellings, wordUse, type CandidateCache } from './spelling/misspellings.js';
import { softwareTerms } from './spelling/software-terms.js';
import { isWithoutEszett, SwissGerman, withoutEszett } from './spelling/swiss-german.js';
import type { WordOrder } from './facts/english-form.js';
import type { Coverage } from './facts/scores.js';
import { textFacts } from './facts/text-facts.js';
import { enhance, type Enhanced } from './enhance/enhance.js';
import type { RuleGoal } from './enhance/goals.js';
import { isEnglish } from './enhance/passages.js';
import { baseLanguage } from './language/base-language.js';

/** A text and everything that decides what is found in it. */
export type TextToAnalyze = Omit<AnalysisRequest, 'accountId'>;

/** A paragraph to check. */
interface Task {
  paragraph: Paragraph;
  language: string;
  /** Frequent words of the whole text that occur in the paragraph, in lower case. */
  terms: string[];
  /** Names of the whole text that occur in the paragraph, in lower case. */
  names: string[];
  /** Words of the paragraph that also stand in the text's code, in lower case. */
  inCode: string[];
  /** The other languages of the text. */
  others: string[];
}

interface PlannedParagraph {
  paragraph: Paragraph;
  language: string;
  hash: string;
  /** Result of an earlier analysis, or null if the paragraph needs a check. */
  kept: CheckedParagraph | null;
  /** As in `KeptParagraph`. */
  text?: string;
  guess?: DetectedLanguage;
}

/** The result of checking a paragraph. Ranges are relative to the paragraph. */
type CheckedParagraph = Pick<KeptParagraph, 'findings' | 'warnings'>;

interface Overview {
  paragraphs: PlannedParagraph[];
  language: LanguageGuess;
  warnings: string[];
}

interface Piece {
  tasks: Task[];
  settings: TextToAnalyze['settings'];
  rules: TextToAnalyze['rules'];
}

/** What decides which rules report findings. */
interface RuleOptions {
  /** Words and phrases that all rules accept. */
  accepted: string[];
  checks: ReadonlySet<Check>;
  /** Ids of rules that report nothing. */
  disabled: ReadonlySet<string>;
  level: TextToAnalyze['settings']['suggestionLevel'];
  /** Reports what was left out. */
  warn: (warning: string) => void;
}

/** A part of a text that can be checked separately. */
export interface PlannedPiece {
  /** JSON text of its paragraphs and settings, for {@link Engine.check}. */
  paragraphs: string;
  /** JSON texts of the `HarperWork`s of its English paragraphs. */
  english: string[];
}

/** The pieces to check, and JSON text about the whole text. */
export interface Plan {
  pieces: PlannedPiece[];
  overview: string;
}

/**
 * UTF-16 units of prose in a piece, unless one paragraph is longer. Other texts wait while it is checked. Pieces repeat the
 * rules of the account. `rules` bounds the sum of these copies, so many rules make pieces longer.
 */
const PIECE = { length: 1_500, rules: 16_000_000 };
/** Limits of the headings in a result: their number, and their length as JSON in UTF-16 units. */
const MAX_OUTLINE = { count: 10_000, length: 250_000 };
/** Maximum length of the JSON text of paragraphs that the next analysis can reuse. It checks the others again. */
const MAX_KEPT_LENGTH = 8 * 1024 * 1024;
/**
 * Limits of the time that style rules may take in the worst case, in ns: for each UTF-16 unit (3 s for a piece, during
 * which other texts wait), for a paragraph, which is one task, and for a whole text whose sender waits.
 */
const STYLE_RULES_NS = { unit: 375_000, paragraph: 40e9, interactive: 2e9 };

const SHOWN_SEVERITIES = {
  low: ['error'],
  medium: ['error', 'warning'],
  high: ['error', 'warning', 'style'],
} as const;

/** Analyzes texts by rules and dictionaries. Loads each package when a text first needs it. */
export class Engine {
  private detector: Promise<LanguageDetector> | undefined;
  private english: Promise<English> | undefined;
  private dictionaries: Promise<Dictionaries> | undefined;
  private german: GermanGrammar | undefined;
  private readonly candidates = new Map<string, CandidateCache>();
  private readonly styleRulesCache = new StyleRulesCache();

  /** `dictionaryFolder` contains additional dictionaries. */
  constructor(private readonly dictionaryFolder: string | undefined) {}

  /** Analyzes a whole text in this thread. Without `harper`, only our rules check English. */
  async analyze(text: TextToAnalyze, harper?: Harper): Promise<AnalysisOutcome> {
    const { pieces, overview } = await this.plan(text);
    const found: string[] = [];
    for (const { paragraphs, english } of pieces) {
      const lints: string[] = [];
      for (const task of harper ? english : [])
        lints.push(JSON.stringify(await harper?.lintsIn(JSON.parse(task) as HarperWork)));
      found.push(await this.check(paragraphs, lints));
    }
    return this.assemble(text, overview, found);
  }

  /** Returns pieces that can be checked in parallel, with at most `length` units of prose or one paragraph. */
  async plan(text: TextToAnalyze, length = PIECE.length): Promise<Plan> {
    const { tasks, rules, overview } = await this.planned(text);
    const { settings } = text;
    const shared = JSON.stringify({ settings, rules } satisfies Omit<Piece, 'tasks'>);
    const repeated = Math.ceil((text.content.length * shared.length) / PIECE.rules);
    const pieces = piecesOf(tasks, Math.max(length, repeated)).map((piece) => ({
      paragraphs: `{"tasks":${JSON.stringify(piece)},${shared.slice(1)}`,
      english: harperWork(piece.map(englishOf)).map((task) => JSON.stringify(task)),
    }));
    return { pieces, overview: JSON.stringify(overview) };
  }

  /**
   * Returns the result for each paragraph of a piece, as JSON text. `lints` are the JSON texts of Harper's findings, one for
   * each of its tasks.
   */
  async check(paragraphs: string, lints: readonly string[]): Promise<string> {
    const piece = JSON.parse(paragraphs) as Piece;
    const found = lints.map((one) => JSON.parse(one) as IndexedLints);
    return JSON.stringify(await this.checked(piece, lintsByText(piece.tasks.length, found)));
  }

  /** Returns the analysis of the whole text. `found` holds the result of each piece, in order. */
  async assemble(text: TextToAnalyze, overview: string, found: string[]): Promise<AnalysisOutcome> {
    const all = found.flatMap((one) => JSON.parse(one) as CheckedParagraph[]);
    return this.assembled(text, JSON.parse(overview) as Overview, all);
  }

  /** Returns what rules suggest for goals of an enhancement other than `correct`. */
  async enhance(text: TextToAnalyze, goals: readonly RuleGoal[]): Promise<Enhanced> {
    const { content, format, rules, dismissed } = text;
    const paragraphs = paragraphsOf(content, format);
    const { languages, language } = await this.languagesOf(paragraphs, text, []);
    const isChecked = goals.includes('consistency') && languages.some(isEnglish);
    const known = isChecked ? await this.dictionariesOf(['en', 'en-GB']) : [];
    const accepted = rules.styleRules.flatMap((rule) =>
      rule.kind === 'accepted' ? rule.words : [],
    );
    const words = [...rules.words, ...accepted].map((word) => word.toLowerCase());
    const enhanced = {
      content,
      paragraphs,
      languages,
      language: language.code,
      requestedVariant: language.source === 'requested' ? language.code : null,
      acceptedWords: new Set(words),
      isOrdinary: (word: string) => known.some((dictionary) => dictionary.knows(word)),
      dismissed: new Set(dismissed),
    };
    return enhance(enhanced, goals);
  }

  private async planned(
    text: TextToAnalyze,
  ): Promise<Pick<Piece, 'tasks' | 'rules'> & { overview: Overview }> {
    const paragraphs = paragraphsOf(text.content, text.format);
    const { rules, warnings: ofRules } = this.affordableRules(text, paragraphs);
    const before = (text.kept === null ? [] : JSON.parse(text.kept)) as KeptParagraph[];
    const { languages, guesses, language, warnings } = await this.languagesOf(
      paragraphs,
      text,
      before,
    );
    const use = wordUse(paragraphs);
    const inCode = codeWords(text.content, paragraphs);
    const spoken = [...new Set(languages)].filter((code) => code !== UNDETERMINED.code).sort();
    const kept = new Map(
      before.map(({ hash, findings, warnings: ofParagraph }) => [
        hash,
        { findings, ...(ofParagraph && { warnings: ofParagraph }) },
      ]),
    );
    const settingsKey = hashOf([OFFLINE_ENGINE.version, text.settings, rules]);
    const tasks: Task[] = [];
    const planned = paragraphs.map((paragraph, index): PlannedParagraph => {
      const code = languages[index] ?? UNDETERMINED.code;
      const words = [
        ...new Set(wordsOf(paragraph.prose).map((one) => lowerTextOf(paragraph, one))),
      ];
      const task: Task = {
        paragraph,
        language: code,
        terms: words.filter((word) => use.frequentWords.has(word)),
        names: words.filter((word) => use.names.has(word)),
        inCode: baseLanguage(code) === 'en' ? words.filter((word) => inCode.has(word)) : [],
        others: spoken.filter((one) => one !== code),
      };
      // The paragraph's position has no effect on its findings.
      const { prose, kind, masked } = paragraph;
      const hash = hashOf([settingsKey, { ...task, paragraph: { prose, kind, masked } }]);
      const isContext = !overlapsAny(paragraph, text.ranges);
      const known = isContext ? { findings: [] } : (kept.get(hash) ?? null);
      if (!known) tasks.push(task);
      return { paragraph, language: code, hash, kept: known, ...guesses[index] };
    });
    const all = [...warnings, ...settingsWarnings(text.settings), ...ofRules];
    const overview = { paragraphs: planned, language, warnings: all };
    return { tasks, rules, overview };
  }

  /** Leaves out the slowest style rules if all of them take too long for the text. */
  private affordableRules(
    { rules, settings, isInteractive = false }: TextToAnalyze,
    paragraphs: readonly Paragraph[],
  ): { rules: AccountRules; warnings: string[] } {
    if (rules.styleRules.length === 0 || !settings.checks.includes('house-style'))
      return { rules, warnings: [] };
    const lengths = paragraphs.map(({ prose }) => prose.length);
    const ofText = isInteractive
      ? STYLE_RULES_NS.interactive / lengths.reduce((sum, length) => sum + length, 1)
      : STYLE_RULES_NS.paragraph / lengths.reduce((most, length) => Math.max(most, length), 1);
    const most = Math.min(STYLE_RULES_NS.unit, ofText);
    const styleRules = this.styleRulesCache.get(rules.styleRules).within(most);
    const omitted = rules.styleRules.length - styleRules.length;
    if (omitted === 0) return { rules, warnings: [] };
    return { rules: { ...rules, styleRules }, warnings: [rulesOmitted(omitted, rules.styleRules)] };
  }

  /** Returns the language of each paragraph and of the text. */
  private async languagesOf(
    paragraphs: readonly Paragraph[],
    { settings, preferredVariants = [] }: TextToAnalyze,
    before: readonly KeptParagraph[],
  ): Promise<{
    languages: string[];
    guesses: { text: string; guess: DetectedLanguage }[];
    language: LanguageGuess;
    warnings: string[];
  }> {
    const requested = requestedLanguage(settings.language);
    if (requested.kind === 'known') {
      const { code } = requested;
      return {
        languages: paragraphs.map(() => code),
        guesses: [],
        language: { code, source: 'requested', confidence: 1 },
        warnings: [],
      };
    }
    this.detector ??= LanguageDetector.load();
    const detector = await this.detector;
    const known = new Map(before.map(({ text, guess }) => [text, guess]));
    const guesses = paragraphs.map(({ prose }) => {
      const text = hashOf(prose);
      return { text, guess: known.get(text) ?? detector.detect(prose) };
    });
    const alone = guesses.map(({ guess }) => guess);
    const { code: main } = mainLanguage(paragraphs, alone);
    // Uses the language of the text for paragraphs that are ambiguous on their own, such as headings of two words.
    const told = alone.map((guess, index) =>
      guess.code === UNDETERMINED.code
        ? detector.detect(paragraphs[index]?.prose ?? '', main)
        : guess,
    );
    const variantOf = (code: string) =>
      preferredVariants.find((variant) => baseLanguage(variant) === code) ?? code;
    const whole = mainLanguage(paragraphs, told);
    return {
      languages: told.map(({ code }) => variantOf(code === UNDETERMINED.code ? main : code)),
      guesses,
      language: { ...whole, code: variantOf(whole.code), source: 'detected' },
      warnings:
        requested.kind === 'unknown'
          ? [`Unknown language "${requested.value}"; the language was detected instead.`]
          : [],
    };
  }

  private async checked(
    { tasks, settings, rules }: Piece,
    lints: readonly HarperLint[][],
  ): Promise<CheckedParagraph[]> {
    const compiledRules = this.styleRulesCache.get(rules.styleRules);
    const warnings = new Set<string>();
    const options = {
      accepted: [...rules.words, ...compiledRules.acceptedWords],
      checks: new Set(settings.checks),
      disabled: new Set(rules.disabledRules),
      level: settings.suggestionLevel,
      warn: (warning: string) => warnings.add(warning),
    };
    const found: CheckedParagraph[] = [];
    for (const [index, task] of tasks.entries()) {
      const { paragraph } = task;
      warnings.clear();
      const own = options.checks.has('house-style')
        ? compiledRules.findingsOf(paragraph, options.warn)
        : [];
      const others = await this.languageFindings(task, lints[index] ?? [], options);
      // A style rule replaces general findings about the same passage.
      const free = others.filter((one) => !own.some((other) => overlap(one, other)));
      const all = [...own, ...free].sort((a, b) => a.start - b.start || a.end - b.end);
      const findings = all.map(withLikelyReplacements);
      found.push(warnings.size > 0 ? { findings, warnings: [...warnings] } : { findings });
    }
    return found;
  }

  private async languageFindings(
    { paragraph, language, terms, names, inCode, others }: Task,
    lints: readonly HarperLint[],
    { accepted, checks, disabled, level, warn }: RuleOptions,
  ): Promise<Finding[]> {
    if (baseLanguage(language) === 'en') {
      this.english ??= this.loadEnglish();
      const english = await this.english;
      const variant = englishVariant(language);
      return english.findingsOf(paragraph, lints, {
        variant,
        terms: accepted,
        usedOften: new Set(terms),
        inCode: new Set(inCode),
        level,
        checks,
        disabled,
        warn,
      });
    }
    return this.otherLanguageFindings(
      { paragraph, language, terms, names, others },
      { accepted, checks, disabled, warn },
    );
  }

  /** Returns spelling findings, and grammar findings in German. */
  private async otherLanguageFindings(
    { paragraph, language, terms, names, others }: Omit<Task, 'inCode'>,
    { accepted, checks, disabled, warn }: Omit<RuleOptions, 'level'>,
  ): Promise<Finding[]> {
    const isKnown = language !== UNDETERMINED.code;
    const needsGrammar = isKnown && [...checks].some((check) => hasGrammar(language, check));
    const dictionaries = await this.openDictionaries();
    const code =
      checks.has('spelling') || needsGrammar ? dictionaries.codeFor(language) : undefined;
    const dictionary =
      isKnown && code !== undefined ? await dictionaries.forLanguage(code) : undefined;
    if (!dictionary || code === undefined) return [];
    const found: Finding[] = [];
    // Drops findings before they hide others in the same passage.
    const on = (all: Finding[]) => all.filter(({ ruleId }) => !disabled.has(ruleId));
    if (checks.has('spelling')) {
      const cache = this.candidates.get(code) ?? (new Map() as CandidateCache);
      this.candidates.set(code, cache);
      const context = {
        accountWords: new Set(accepted),
        frequentWords: new Set(terms),
        names: new Set(names),
        terms: await softwareTerms(),
        otherLanguages: await this.dictionariesOf([...others, 'en'].filter((one) => one !== code)),
        warn,
      };
      found.push(...on(wrongForms(paragraph, language)));
      const misspelled = isWithoutEszett(language)
        ? misspellings(paragraph, new SwissGerman(dictionary), context, cache).map(withoutEszett)
        : misspellings(paragraph, dictionary, context, cache);
      addFree(found, on(misspelled));
    }
    if (needsGrammar) {
      this.german ??= GermanGrammar.load(dictionary);
      const grammar = on(this.german.findingsOf(paragraph));
      addFree(
        found,
        grammar.filter(({ category }) => checks.has(category)),
      );
    }
    return found.map((finding) => ({
      ...finding,
      start: finding.start - paragraph.start,
      end: finding.end - paragraph.start,
    }));
  }

  private async assembled(
    text: TextToAnalyze,
    { paragraphs, language, warnings }: Overview,
    found: readonly CheckedParagraph[],
  ): Promise<AnalysisOutcome> {
    const { content, settings } = text;
    const { checks, language: requested, suggestionLevel } = settings;
    let looked = 0;
    const kept = paragraphs.map((planned): KeptParagraph => {
      const { hash, language: code, text: ofText, guess } = planned;
      const checked = planned.kept ?? found[looked++] ?? { findings: [] };
      const told = ofText !== undefined && guess ? { text: ofText, guess } : {};
      return { hash, language: code, ...told, ...checked };
    });
    const findings = paragraphs.flatMap(({ paragraph: { start } }, index) =>
      (kept[index]?.findings ?? []).map((one) => ({
        ...one,
        start: start + one.start,
        end: start + one.end,
      })),
    );
    const severities: readonly string[] = SHOWN_SEVERITIES[settings.suggestionLevel];
    const shown = findings.filter(({ severity }) => severities.includes(severity));
    const sentences = paragraphs.flatMap(({ paragraph: { prose, start }, language: code }) =>
      sentencesOf(prose, code).map((one) => ({ start: start + one.start, end: start + one.end })),
    );
    const issues = issuesOf(content, shown, sentences, new Set(text.dismissed));
    const open = issues.filter(({ status }) => status === 'open');
    const bare = paragraphs.map(({ paragraph }) => paragraph);
    const dictionaries = await this.openDictionaries();
    const unsupportedChecks = unsupported(paragraphs, settings.checks, dictionaries);
    const english = baseLanguage(language.code) === 'en' ? await englishFrequencies() : null;
    const facts = textFacts(content, bare, open, {
      language: language.code,
      coverage: coverageOf(paragraphs, settings.checks, unsupportedChecks),
      wordOrder: english && (await wordOrderIn(paragraphs)),
      frequency: english && ((word) => english.frequencies.get(word) ?? 0),
    });
    const { scores } = facts;
    const outline = fitting(facts.outline, MAX_OUTLINE);
    const all = new Set([
      ...warnings,
      ...kept.flatMap(({ warnings: ofParagraph = [] }) => ofParagraph),
      ...headingsOmitted(outline.length, facts.outline.length),
    ]);
    const result: AnalysisResult = {
      language,
      effectiveSettings: { checks, language: requested, suggestionLevel, warnings: [...all] },
      ...facts,
      outline,
      ...listedIssues(issues),
      unsupportedChecks,
      engine: OFFLINE_ENGINE,
    };
    return {
      result: JSON.stringify(result),
      paragraphs: JSON.stringify(fitting(kept, { count: kept.length, length: MAX_KEPT_LENGTH })),
      overall: scores.overall,
      digest: {
        language: language.code,
        scores,
        issueCounts: {
          error: count(open, 'error'),
          warning: count(open, 'warning'),
          style: count(open, 'style'),
        },
      },
    };
  }

  private async dictionariesOf(languages: readonly string[]): Promise<Dictionary[]> {
    const dictionaries = await this.openDictionaries();
    const found: Dictionary[] = [];
    for (const language of languages) {
      const dictionary = await dictionaries.forLanguage(language);
      if (dictionary) found.push(dictionary);
    }
    return found;
  }

  private openDictionaries(): Promise<Dictionaries> {
    this.dictionaries ??= Dictionaries.open(this.dictionaryFolder);
    return this.dictionaries;
  }

  private async loadEnglish(): Promise<English> {
    const dictionaries = await this.openDictionaries();
    const [us, gb, terms] = await Promise.all([
      dictionaries.forLanguage('en'),
      dictionaries.forLanguage('en-GB'),
      softwareTerms(),
    ]);
    if (!us || !gb) throw new Error('The English dictionaries are missing.');
    return English.load({ us, gb, softwareTerms: terms });
  }
}

/** Without ranges, returns true. */
function overlapsAny({ start, end }: TextRange, ranges: TextToAnalyze['ranges']): boolean {
  return ranges === undefined || ranges.some((one) => one.start < end && start < one.end);
}

/** Groups paragraphs in order. A group has at most `length` units of prose, or is one paragraph. */
function piecesOf(tasks: readonly Task[], length: number): Task[][] {
  const pieces: Task[][] = [];
  let size = 0;
  for (const task of tasks) {
    size += task.paragraph.prose.length;
    const piece = pieces.at(-1);
    if (piece && size <= length) piece.push(task);
    else {
      pieces.push([task]);
      size = task.paragraph.prose.length;
    }
  }
  return pieces;
}

function rulesOmitted(omitted: number, rules: readonly unknown[]): string {
  return `The style rules take too long for a text of this length, so ${String(omitted)} of ${String(rules.length)} were not applied. Send the text in parts, or use fewer or smaller patterns.`;
}

function headingsOmitted(listed: number, all: number): string[] {
  return listed === all ? [] : [`The outline lists ${String(listed)} of ${String(all)} headings.`];
}

/** Regions with British spelling. Canada uses both spellings. */
const BRITISH = new Set(['en-GB', 'en-AU', 'en-IE', 'en-IN', 'en-NZ', 'en-ZA']);

function englishVariant(language: string): EnglishVariant {
  if (BRITISH.has(language)) return 'en-GB';
  return language === 'en-US' ? 'en-US' : 'en';
}

/** Returns a function that judges the word order of the sentences in English paragraphs. */
async function wordOrderIn(paragraphs: readonly PlannedParagraph[]): Promise<WordOrder> {
  const model = await languageModel();
  const english = new Set(
    paragraphs.filter((one) => baseLanguage(one.language) === 'en').map((one) => one.paragraph),
  );
  return (sentences) =>
    wordOrderOf(
      sentences.filter(({ paragraph }) => english.has(paragraph)),
      model,
    );
}

/** Returns the text that Harper reads. Empty for other languages. */
function englishOf({ paragraph, language }: Task): string {
  return baseLanguage(language) === 'en' ? readingOf(paragraph).text : '';
}

/** Removes alternatives with zero confidence. */
function withLikelyReplacements(finding: Finding): Finding {
  const [first, ...others] = finding.replacements;
  if (!first) return finding;
  const likely = others.filter(({ confidence }) => confidence > 0);
  return { ...finding, replacements: [first, ...likely] };
}

function mainLanguage(
  paragraphs: readonly Paragraph[],
  guesses: readonly DetectedLanguage[],
): DetectedLanguage {
  const units = new Map<string, number>();
  const sums = new Map<string, number>();
  guesses.forEach(({ code, confidence }, index) => {
    if (code === UNDETERMINED.code) return;
    const length = paragraphs[index]?.prose.length ?? 0;
    units.set(code, (units.get(code) ?? 0) + length);
    sums.set(code, (sums.get(code) ?? 0) + confidence * length);
  });
  let main = UNDETERMINED;
  let most = 0;
  for (const [code, length] of units) {
    if (length <= most) continue;
    most = length;
    main = { code, confidence: (sums.get(code) ?? 0) / length };
  }
  return main;
}

/** Checks of German besides spelling. */
const GERMAN_CHECKS: ReadonlySet<Check> = new Set(['grammar', 'punctuation']);

/** Returns true if a check besides spelling has rules for a language other than English. */
function hasGrammar(language: string, check: Check): boolean {
  return baseLanguage(language) === 'de' && GERMAN_CHECKS.has(check);
}

/** Adds the findings that do not overlap others. */
function addFree(found: Finding[], more: readonly Finding[]): void {
  found.push(...more.filter((one) => !found.some((other) => overlap(one, other))));
}

function unsupported(
  paragraphs: readonly PlannedParagraph[],
  checks: readonly Check[],
  dictionaries: Dictionaries,
): UnsupportedCheck[] {
  const languages = [...new Set(paragraphs.map(({ language }) => language))].sort();
  return languages.flatMap((language) => {
    if (baseLanguage(language) === 'en') return [];
    const isKnown = language !== UNDETERMINED.code;
    const spells = isKnown && dictionaries.codeFor(language) !== undefined;
    return CHECKS.filter((check) => checks.includes(check) && check !== 'house-style')
      .filter((check) => !(check === 'spelling' ? spells : spells && hasGrammar(language, check)))
      .map((check) => ({ check, language, reason: reasonOf(check, isKnown) }));
  });
}

/** Returns the share of the prose in which each requested check ran. */
function coverageOf(
  paragraphs: readonly PlannedParagraph[],
  checks: readonly Check[],
  unsupportedChecks: readonly UnsupportedCheck[],
): Coverage {
  const lengths = new Map<string, number>();
  let total = 0;
  for (const { paragraph, language } of paragraphs) {
    const { length } = paragraph.prose;
    lengths.set(language, (lengths.get(language) ?? 0) + length);
    total += length;
  }
  const coverage = new Map(checks.map((check) => [check, 1]));
  for (const { check, language } of unsupportedChecks) {
    const missing = (lengths.get(language) ?? 0) / total;
    coverage.set(check, (coverage.get(check) ?? 0) - missing);
  }
  return coverage;
}

function reasonOf(check: Check, isKnown: boolean): string {
  if (!isKnown) return 'The language of this text is unknown. Set `language`.';
  return check === 'spelling'
    ? 'No dictionary is available for this language. The operator can add one (SPELL_DICTIONARIES).'
    : 'This check is not available for this language.';
}

function lowerTextOf({ prose }: Paragraph, { start, end }: TextRange): string {
  return prose.slice(start, end).toLowerCase();
}

function hashOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

function overlap(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && other.start < one.end;
}

function count(issues: readonly Issue[], severity: string): number {
  return issues.filter((issue) => issue.severity === severity).length;
}
