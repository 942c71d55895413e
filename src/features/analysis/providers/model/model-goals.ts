import type { Goal } from '../analysis-provider.js';

/** A goal that produces edits. `title` and `summarise` produce a new text instead (docs/adr/0023-language-models.md). */
export type EditGoal = Exclude<Goal, TextGoal>;
export type TextGoal = 'title' | 'summarise';

interface EditGoalRules {
  /** Task in the prompt. */
  task: string;
  /** Longest and shortest replacement in UTF-16 units, as a factor of the passage's length plus a constant. */
  most: readonly [factor: number, constant: number];
  fewest: readonly [factor: number, constant: number];
  /** Maximum units of the response per unit of text, to estimate the tokens to reserve. */
  outputFactor: number;
}

export const EDIT_GOALS: Readonly<Record<EditGoal, EditGoalRules>> = {
  correct: {
    task: 'Correct mistakes in spelling, grammar, punctuation and casing. Do not change anything that is correct: no style, wording, facts or names. Make each edit as small as possible, one or a few words.',
    most: [2, 40],
    fewest: [0.5, -10],
    outputFactor: 1,
  },
  consistency: {
    task: 'Make the text consistent: one term for one thing, and one spelling, hyphenation and capitalization of each term. Use the form that the outline and most passages use. Change nothing else.',
    most: [1.5, 40],
    fewest: [0.5, -20],
    outputFactor: 1,
  },
  simplify: {
    task: 'Make the text easy to read: common words instead of rare ones, short sentences, and one idea in each. Split sentences of more than 25 words. Keep all facts, names, numbers and technical terms.',
    most: [1.6, 80],
    fewest: [0.25, -40],
    outputFactor: 2.5,
  },
  clarity: {
    task: 'Make unclear passages clear: say who does what, resolve words such as "it" and "this" that could mean several things, and put what matters first. Leave clear passages unchanged. Do not add facts, names or numbers.',
    most: [2, 120],
    fewest: [0.3, -40],
    outputFactor: 2.5,
  },
  rewrite: {
    task: 'Rewrite the text so that it reads well: natural wording, clear sentences and smooth transitions, in the same language, tone and length. Make one edit for each sentence that you rewrite. Keep all facts, names, numbers and the meaning.',
    most: [2, 160],
    fewest: [0.4, -40],
    outputFactor: 3,
  },
  tone: {
    task: 'Adjust the tone as the author requests. If the author requests nothing, make it plain, friendly and professional. Keep facts, names and meaning.',
    most: [2, 120],
    fewest: [0.3, -40],
    outputFactor: 2.5,
  },
  shorten: {
    task: 'Make the text shorter without losing facts: cut repetition, filler and digressions.',
    most: [1, 0],
    fewest: [0, 0],
    outputFactor: 2.5,
  },
  expand: {
    task: 'Expand the text where it is too brief to understand: explain, connect ideas and state consequences. Do not invent facts, names or numbers.',
    most: [5, 600],
    fewest: [0.5, -20],
    outputFactor: 4,
  },
  translate: {
    task: 'Translate every passage into the language that the author requests. Keep names, numbers and everything between code marks.',
    most: [3, 100],
    fewest: [0.15, -20],
    outputFactor: 3,
  },
  custom: {
    task: 'Do what the author requests and nothing else.',
    most: [4, 400],
    fewest: [0, 0],
    outputFactor: 3,
  },
};

export const TEXT_GOAL_TASKS: Readonly<Record<TextGoal, string>> = {
  title:
    'Write a title for the document in its language: at most 80 characters, one line, no quotes.',
  summarise:
    'Summarize the document in its language in at most five sentences. Add nothing that the document does not say.',
};

/** Maximum characters in a title or summary. */
export const MAX_TEXT_CHARACTERS: Readonly<Record<TextGoal, number>> = {
  title: 200,
  summarise: 2_000,
};

export function isTextGoal(goal: Goal): goal is TextGoal {
  return goal === 'title' || goal === 'summarise';
}
