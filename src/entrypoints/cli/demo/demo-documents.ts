import type { DocumentStatus } from '../../../features/documents/document-status.js';
import type { DocumentType } from '../../../features/content/document-type.js';

/** A document as somebody of an invented company would have written it, and what became of it. */
export interface DemoDocument {
  title: string;
  type: DocumentType;
  content: string;
  metadata: { department: string; project: string; tags: string[]; priority: string };
  /** Texts that replace the content later, oldest first. */
  edits: string[];
  /** What it goes through after the edits. */
  statuses: DocumentStatus[];
  inTrash: boolean;
}

/** The same documents at each call. */
export function demoDocuments(count: number): DemoDocument[] {
  const random = sequence(20_260_131);
  return Array.from({ length: count }, (_, number) => demoDocument(number, new Choice(random)));
}

const PROJECTS = [
  'Aurora',
  'Basalt',
  'Cormorant',
  'Delta',
  'Ember',
  'Foxglove',
  'Granite',
  'Heron',
];
const QUARTERS = ['Q1 2026', 'Q2 2026', 'Q3 2026', 'Q4 2026'];
const PLACES = ['Lisbon', 'Rotterdam', 'Toronto', 'Nairobi', 'Osaka', 'Leipzig', 'Austin', 'Turku'];
const TEAMS = [
  'Platform',
  'Payments',
  'Search',
  'Mobile',
  'Data',
  'Customer Care',
  'Field Service',
];
const PRIORITIES = ['low', 'normal', 'normal', 'normal', 'high'];

interface Kind {
  type: DocumentType;
  department: string;
  tags: string[];
  title: (choice: Choice, project: string) => string;
  /** Headings with sentences of which some are taken. `{…}` stands for an invented fact. */
  sections: readonly (readonly [heading: string, sentences: readonly string[]])[];
}

const KINDS: readonly Kind[] = [
  {
    type: 'report',
    department: 'Finance',
    tags: ['quarter', 'revenue', 'forecast', 'costs'],
    title: (choice) => `${choice.of(QUARTERS)} results, ${choice.of(PLACES)} office`,
    sections: [
      [
        'Summary',
        [
          'Revenue grew by {percent} against the same quarter of last year, mostly from renewals.',
          'Operating costs rose by {percent}, because two contracts in {place} were brought forward.',
          'We keep the forecast for the year and expect to end it with {number} paying customers.',
        ],
      ],
      [
        'Revenue by segment',
        [
          'Enterprise contributed {percent} of the total; the average contract is now {number} euros a month.',
          'Small businesses left more often than planned: {number} accounts ended their plan, most within ninety days.',
          'The partner channel in {place} signed {number} customers and will be reported separately from now on.',
        ],
      ],
      [
        'Risks',
        [
          'A weaker currency would lower the margin by up to {percent}.',
          'The {team} team depends on one supplier; a second one is being tested.',
          'Hiring is {number} days behind, which delays the {project} launch.',
        ],
      ],
    ],
  },
  {
    type: 'technical',
    department: 'Engineering',
    tags: ['architecture', 'postgresql', 'latency', 'migration', 'api'],
    title: (choice, project) =>
      `${project}: design of the ${choice.of(TEAMS).toLowerCase()} service`,
    sections: [
      [
        'Context',
        [
          'The service answers {number} requests a second at noon, and {percent} of them read one record.',
          'Today each write waits for a nightly job in {place}; customers see their changes a day late.',
          'The {team} team owns the new service and the old one until it is switched off.',
        ],
      ],
      [
        'Decision',
        [
          'Writes and events commit in one transaction, so that no event can be lost or invented.',
          'Readers use keyset pagination; offsets were {number} times slower on page 400.',
          'Configuration comes from the environment and is validated at the start.',
        ],
      ],
      [
        'Consequences',
        [
          'The 99th percentile falls from {number} to 40 milliseconds on the same hardware.',
          'A replica may be restarted at any time; clients retry with the same idempotency key.',
          'We accept a second copy of {percent} of the data until the migration ends.',
        ],
      ],
    ],
  },
  {
    type: 'research',
    department: 'Product',
    tags: ['interviews', 'onboarding', 'usability', 'survey'],
    title: (choice, project) =>
      `What ${String(number(choice, 8, 40))} customers in ${choice.of(PLACES)} told us about ${project}`,
    sections: [
      [
        'Method',
        [
          'We talked to {number} people for half an hour each and watched them set up a first project.',
          'A survey among users in {place} had a response rate of {percent}.',
          'Names are left out; quotes were agreed with the speakers.',
        ],
      ],
      [
        'Findings',
        [
          'Three of four found the export without help, but {percent} did not understand what a version is.',
          'People copy documents because they fear to change a published one.',
          'Search is used {number} times a day in a typical team, and tags hardly ever.',
        ],
      ],
      [
        'What we propose',
        [
          'Show the history beside the text instead of behind a menu.',
          'Offer templates at the first start, beginning with the three that were asked for most.',
          'Repeat the test in {place} when the new editor is there.',
        ],
      ],
    ],
  },
  {
    type: 'article',
    department: 'Marketing',
    tags: ['blog', 'launch', 'customers', 'newsletter'],
    title: (choice, project) =>
      `How ${choice.of(TEAMS)} teams in ${choice.of(PLACES)} work with ${project}`,
    sections: [
      [
        'The beginning',
        [
          'Two years ago the team kept its manuals in {number} folders, and nobody knew which one was right.',
          'A new colleague in {place} asked for the latest price list and got four different ones.',
          'The decision fell at a workshop: one place for everything that is written.',
        ],
      ],
      [
        'What changed',
        [
          'Reviews take {percent} less time, because everybody sees the same version.',
          'The {team} team publishes on Tuesdays, and partners are told by a webhook within seconds.',
          'Old drafts are archived instead of deleted, so questions about the past have answers.',
        ],
      ],
      [
        'What comes next',
        [
          'This autumn the manuals are translated for the office in {place}.',
          'Readers have sent {number} suggestions, and most of them are in the text already.',
        ],
      ],
    ],
  },
  {
    type: 'document',
    department: 'Operations',
    tags: ['runbook', 'meeting', 'safety', 'checklist', 'suppliers'],
    title: (choice) =>
      `${choice.of(TEAMS)} handbook: ${choice.of(['on-call', 'deliveries', 'first day', 'incidents', 'audits'])} in ${choice.of(PLACES)}`,
    sections: [
      [
        'Who does what',
        [
          'The person on duty answers within {number} minutes and writes down what was done.',
          'The {team} team is called when more than {percent} of the orders are late.',
          'Keys for the warehouse in {place} are with the shift lead.',
        ],
      ],
      [
        'Steps',
        [
          'Look at the overview first: it shows whether one customer or all are affected.',
          'Tell customers before they ask; the templates are in the project {project}.',
          'Close the incident only after {number} quiet minutes.',
        ],
      ],
      [
        'Afterwards',
        [
          'Write the review within two days, without naming who is to blame.',
          'Check that each action has an owner and a date.',
        ],
      ],
    ],
  },
];

/** What becomes of documents, about as often as it stands here. */
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
  const kind = KINDS[position % KINDS.length] ?? choice.of(KINDS);
  const project = choice.of(PROJECTS);
  const content = text(kind, project, choice);
  const edits: string[] = [];
  for (let count = number(choice, 0, 3); count > 0; count -= 1) {
    edits.push(
      `${edits.at(-1) ?? content}\n${paragraph(choice.of(kind.sections)[1], project, choice)}\n`,
    );
  }
  return {
    title: kind.title(choice, project),
    type: kind.type,
    content,
    metadata: {
      department: kind.department,
      project,
      tags: kind.tags.filter(() => choice.chance(0.4)),
      priority: choice.of(PRIORITIES),
    },
    edits,
    statuses: choice.of(COURSES),
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
  return (taken.length > 0 ? taken : sentences)
    .join(' ')
    .replaceAll(/\{(\w+)\}/g, (_, fact: string) => invent(fact, project, choice));
}

function invent(fact: string, project: string, choice: Choice): string {
  switch (fact) {
    case 'percent':
      return `${String(number(choice, 2, 48))} %`;
    case 'number':
      return String(number(choice, 12, 480));
    case 'place':
      return choice.of(PLACES);
    case 'team':
      return choice.of(TEAMS);
    default:
      return project;
  }
}

const number = (choice: Choice, from: number, to: number) =>
  from + Math.floor(choice.next() * (to - from + 1));

/** Choices that follow from a sequence of numbers from 0 up to 1. */
class Choice {
  constructor(readonly next: () => number) {}

  of<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** The generator of Park and Miller: the same numbers for the same seed. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
