import { readFileSync } from 'node:fs';
import type { DocumentStatus } from '../../../features/documents/model/document-fields.js';
import type { DocumentType } from '../../../features/content/document-type.js';

/** A document of an invented company, with its later changes. */
export interface DemoDocument {
  title: string;
  type: DocumentType;
  content: string;
  metadata: { department: string; project: string; tags: string[]; priority: string };
  /** Later contents, oldest first. */
  edits: string[];
  /** Statuses after the edits. */
  statuses: DocumentStatus[];
  inTrash: boolean;
}

/** Returns the same documents on each call. */
export function demoDocuments(count: number): DemoDocument[] {
  const random = sequence(20_260_131);
  return Array.from({ length: count }, (_, number) => demoDocument(number, new Choice(random)));
}

/** Invented facts, and the kinds of documents; `file` contains the text of a kind. */
interface Texts {
  projects: readonly string[];
  quarters: readonly string[];
  places: readonly string[];
  teams: readonly string[];
  topics: readonly string[];
  kinds: readonly KindFields[];
}

interface KindFields {
  file: string;
  type: DocumentType;
  department: string;
  tags: readonly string[];
  title: string;
}

interface Kind extends KindFields {
  /** Headings with sentences to choose from. `{…}` stands for an invented fact. */
  sections: readonly (readonly [heading: string, sentences: readonly string[]])[];
}

const TEXTS = JSON.parse(read('index.json')) as Texts;
const KINDS: readonly Kind[] = TEXTS.kinds.map((kind) => ({
  ...kind,
  sections: sectionsOf(read(kind.file)),
}));
const PRIORITIES = ['low', 'normal', 'normal', 'normal', 'high'];

/** Statuses of documents, in realistic proportions. */
const COURSES: readonly DocumentStatus[][] = [
  [],
  [],
  ['in_review'],
  ['in_review', 'published'],
  ['in_review', 'published'],
  ['published'],
  ['in_review', 'published', 'archived'],
];

function demoDocument(position: number, choice: Choice): DemoDocument {
  const kind = KINDS[position % KINDS.length] ?? choice.from(KINDS);
  const project = choice.from(TEXTS.projects);
  const content = text(kind, project, choice);
  const edits: string[] = [];
  for (let count = number(choice, 0, 3); count > 0; count -= 1) {
    edits.push(
      `${edits.at(-1) ?? content}\n${paragraph(choice.from(kind.sections)[1], project, choice)}\n`,
    );
  }
  return {
    title: withFacts(kind.title, project, choice),
    type: kind.type,
    content,
    metadata: {
      department: kind.department,
      project,
      tags: kind.tags.filter(() => choice.chance(0.4)),
      priority: choice.from(PRIORITIES),
    },
    edits,
    statuses: choice.from(COURSES),
    inTrash: choice.chance(0.03),
  };
}

function text({ sections }: Kind, project: string, choice: Choice): string {
  return sections
    .map(([heading, sentences]) => `## ${heading}\n\n${paragraph(sentences, project, choice)}\n`)
    .join('\n');
}

function paragraph(sentences: readonly string[], project: string, choice: Choice): string {
  const taken = sentences.filter(() => choice.chance(0.75));
  return withFacts((taken.length > 0 ? taken : sentences).join(' '), project, choice);
}

function withFacts(text: string, project: string, choice: Choice): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, fact: string) => invent(fact, project, choice));
}

function invent(fact: string, project: string, choice: Choice): string {
  switch (fact) {
    case 'percent':
      return `${String(number(choice, 2, 48))} %`;
    case 'number':
      return String(number(choice, 12, 480));
    case 'customers':
      return String(number(choice, 8, 40));
    case 'place':
      return choice.from(TEXTS.places);
    case 'team':
      return choice.from(TEXTS.teams);
    case 'lowercaseTeam':
      return choice.from(TEXTS.teams).toLowerCase();
    case 'quarter':
      return choice.from(TEXTS.quarters);
    case 'topic':
      return choice.from(TEXTS.topics);
    case 'project':
      return project;
    default:
      throw new Error(`demo/texts: unknown fact {${fact}}`);
  }
}

/** Returns the sections of a Markdown file: each `## heading` with the sentences of its list. */
function sectionsOf(markdown: string): Kind['sections'] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const items = lines.filter((line) => line.startsWith('- '));
      return [heading, items.map((line) => line.slice(2))] as const;
    });
}

function read(file: string): string {
  return readFileSync(new URL(`texts/${file}`, import.meta.url), 'utf8');
}

const number = (choice: Choice, from: number, to: number) =>
  from + Math.floor(choice.next() * (to - from + 1));

/** Choices based on a sequence of numbers from 0 to 1. */
class Choice {
  constructor(readonly next: () => number) {}

  from<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** A Park-Miller generator. Equal seeds give equal numbers. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
