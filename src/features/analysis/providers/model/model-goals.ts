import type { Goal } from '../analysis-provider.js';

/** A goal that is reached by edits of passages. `title` and `summarise` make a text of their own (docs/adr/0023-language-models.md). */
export type EditGoal = Exclude<Goal, TextGoal>;
export type TextGoal = 'title' | 'summarise';

export const TEXT_GOALS: readonly TextGoal[] = ['title', 'summarise'];

interface EditGoalRules {
  /** What the model is told. */
  task: string;
  /** Most and fewest UTF-16 units of a replacement: a factor of the passage's length, and some beside. */
  most: readonly [factor: number, beside: number];
  fewest: readonly [factor: number, beside: number];
  /** Units of an answer for each unit of text, at most: from it come the tokens that are reserved. */
  answerFactor: number;
}

/** What each goal asks for, and what is too much to be that. */
export const EDIT_GOALS: Readonly<Record<EditGoal, EditGoalRules>> = {
  correct: {
    task: 'Correct mistakes of spelling, grammar, punctuation and casing. Change nothing that is right: no style, no wording, no facts, no names. Each edit is as small as can be, a word or a few.',
    most: [2, 40],
    fewest: [0.5, -10],
    answerFactor: 1,
  },
  tone: {
    task: 'Adjust the tone to what the author asks for; where nothing is asked for, make it plain, friendly and professional. Keep facts, names and meaning.',
    most: [2, 120],
    fewest: [0.3, -40],
    answerFactor: 2.5,
  },
  shorten: {
    task: 'Make the text shorter without losing facts: cut repetition, filler and detours.',
    most: [1, 0],
    fewest: [0, 0],
    answerFactor: 2.5,
  },
  expand: {
    task: 'Make the text fuller where it is too brief to be understood: explain, connect, say what follows. Invent no facts, names or numbers.',
    most: [5, 600],
    fewest: [0.5, -20],
    answerFactor: 4,
  },
  translate: {
    task: 'Translate every passage into the language that the author asks for. Keep names, numbers and what stands between code marks.',
    most: [3, 100],
    fewest: [0.15, -20],
    answerFactor: 3,
  },
  custom: {
    task: 'Do what the author asks for, and nothing else.',
    most: [4, 400],
    fewest: [0, 0],
    answerFactor: 3,
  },
};

export const TEXT_GOAL_TASKS: Readonly<Record<TextGoal, string>> = {
  title:
    'Find a title for the document, in its language: at most 80 characters, one line, no quotes.',
  summarise:
    'Summarise the document in its language, in at most five sentences, with nothing that it does not say.',
};

/** Characters of the texts that a model makes beside edits. */
export const MAX_TEXT_CHARACTERS: Readonly<Record<TextGoal, number>> = {
  title: 200,
  summarise: 2_000,
};

export function isTextGoal(goal: Goal): goal is TextGoal {
  return goal === 'title' || goal === 'summarise';
}
