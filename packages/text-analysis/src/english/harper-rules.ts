import type { Check, Severity } from '../analysis.js';

/** A rule of Harper as we tell of it. */
export interface ChosenRule {
  /** Harper's own name. */
  name: string;
  ruleId: string;
  category: Check;
  severity: Severity;
  explanation: string;
}

const words = (list: string) => new Set(list.trim().split(/\s+/));

/** Measured on technical Markdown: more often wrong than right there, a matter of taste, or said better by a rule of ours. */
export const HARPER_RULES_OFF = words(`
  ExpandTimeShorthands ExpandConfiguration ExpandDereference ExpandForward ExpandPreference ExpandDirectory ExpandGovt ExpandArgument
  ExpandPrevious ExpandAlgorithm ExpandLegitimate ExpandControl ExpandMinimum ExpandDecl ExpandDependencies ExpandParameter
  ExpandVulnerability ExpandPeople ExpandNotification ExpandWithout ExpandWith ExpandThrough ExpandBecause ExpandPointer ExpandAlloc
  ExpandMemoryShorthands ExpandPerformance ExpandCoordinate ExpandStandardInputAndOutput ExpandThough ExpandFavourite
  UseTitleCase SplitWords SentenceCapitalization NumericRangeEnDash UseEllipsisCharacter NoOxfordComma OxfordComma Spaces
  CompoundNouns PossessiveNoun RepeatedWords DisjointPrefixes LongSentences NoFrenchSpaces WrongNegative MoreAdjective AllowTo
  AvoidAndAlso RoadMap CondenseAllThe MassNouns BoringWords SpelledNumbers AvoidContractions AvoidCurses OrthographicConsistency
  FillerWords Hedging Dashes EllipsisLength QuoteSpacing UnclosedQuotes FootInchMinuteSecondSymbols DiscourseMarkers Regionalisms
  Insensitive BlacklistWhitelist LinkedList BeBiased VeryLess AnalogAcousticBike InMyHumbleOpinion Freezing Starving Excellent
  PhrasalVerbAsCompoundNoun ToDoHyphen FirstPersonModifierHyphen PreferSneaked PreferSnuck PreferPleaded PreferPled SimilarLike
  NoLonger Oxymorons Touristic RedundantAcronyms MissingDeterminer DotInitialisms ProperNouns Desktop MissingPreposition OkToOkay IncludingButNotLimitedToPunctuation PronounKnew ShutdownVerb MergeWords ViceVersa
  CapitalizePersonalPronouns ThatWhich HopHope UpdatePlaceNames FindOut MissingTo CompaniesProductsAndTrademarks Codebase Codebases TheHowWhy DidPast OutOfDate ThereToTheir NominalWants SingleBe RedundantThat ThatThis
  RegularIrregulars HowTo ExtendOrExtent BuiltIn ToTwoToo NotablePlaces AndIn QuiteQuiet SafeToSave ItsContraction GoodAt WhomSubjectOfVerb ArriveTo
`);

const CATEGORY_OF_KIND: Readonly<Record<string, { category: Check; severity: Severity }>> = {
  Agreement: { category: 'grammar', severity: 'error' },
  BoundaryError: { category: 'spelling', severity: 'error' },
  Capitalization: { category: 'casing', severity: 'warning' },
  Eggcorn: { category: 'grammar', severity: 'warning' },
  Enhancement: { category: 'wordiness', severity: 'style' },
  Formatting: { category: 'punctuation', severity: 'warning' },
  Grammar: { category: 'grammar', severity: 'error' },
  Malapropism: { category: 'grammar', severity: 'warning' },
  Miscellaneous: { category: 'grammar', severity: 'warning' },
  Nonstandard: { category: 'grammar', severity: 'warning' },
  Punctuation: { category: 'punctuation', severity: 'warning' },
  Readability: { category: 'wordiness', severity: 'style' },
  Redundancy: { category: 'wordiness', severity: 'style' },
  Regionalism: { category: 'grammar', severity: 'style' },
  Repetition: { category: 'repetition', severity: 'error' },
  Spelling: { category: 'spelling', severity: 'error' },
  Style: { category: 'wordiness', severity: 'style' },
  Typo: { category: 'spelling', severity: 'error' },
  Usage: { category: 'grammar', severity: 'warning' },
  WordChoice: { category: 'grammar', severity: 'warning' },
  WordOrder: { category: 'grammar', severity: 'warning' },
};

const chosen = new Map<string, ChosenRule>();

export function chosenRule(name: string, kind: string, description: string): ChosenRule {
  const key = `${name} ${kind}`;
  let rule = chosen.get(key);
  if (!rule) {
    const { category, severity } = CATEGORY_OF_KIND[kind] ?? {
      category: 'grammar',
      severity: 'warning',
    };
    rule = {
      name,
      ruleId: `${category}.${kebab(name)}`,
      category,
      severity,
      explanation: description.replaceAll('`', '"'),
    };
    chosen.set(key, rule);
  }
  return rule;
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}
