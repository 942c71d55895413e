/** Realistic documents of about 2 KB of Markdown, identical in every run. */
export interface SampleDocument {
  title: string;
  type: string;
  content: string;
  metadata: { tags: string[]; department: string; project: string };
  aiSettings: { autoEnhance: boolean; suggestionLevel: string; language: string };
}

const CONTENT_LENGTH = 2_000;

const SENTENCES = [
  'Revenue from subscriptions grew in all three regions, and churn stayed below the target.',
  'The migration of the billing system is complete; two reports still read the old tables.',
  'Customers ask for longer exports, and the support team answers most of them by hand.',
  'We propose to hire one engineer for the data platform and to move one to search.',
  'The audit found no open issue, but it recommends rotating the signing keys every quarter.',
  'Latency of the public API rose in the second week, when the new index was being built.',
  'Each team keeps a list of its risks, with an owner, a date and the next step.',
  '“Good enough” was the answer of most participants – the café test in São Paulo agreed.',
  'The pilot runs until the end of the month with 40 accounts that volunteered.',
  'Costs for storage fell after old versions were compressed and moved to cold disks.',
  'A second provider would remove the single point of failure at a moderate price.',
  'The survey shows that new users find the editor quickly and the settings late.',
];
const HEADINGS = ['Summary', 'Findings', 'Risks', 'Next steps', 'Background', 'Figures'];
const DEPARTMENTS = ['finance', 'engineering', 'marketing', 'legal', 'operations'];
const TYPES = ['document', 'report', 'article', 'research', 'technical'];
const TAGS = ['q3', 'planning', 'customer', 'internal', 'roadmap', 'review'];

/** Returns a repeatable generator of numbers in [0, 1) (mulberry32), so two runs load the same data. */
export function repeatableRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns `count` different documents with content of 2,000 to 2,200 characters. */
export function sampleDocuments(count: number): SampleDocument[] {
  const random = repeatableRandom(7);
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)] as T;
  return Array.from({ length: count }, (_, index) => {
    const department = pick(DEPARTMENTS);
    return {
      title: `${pick(HEADINGS)} of the ${department} review, part ${String(index + 1)}`,
      type: pick(TYPES),
      content: writeContent(pick),
      metadata: {
        tags: [pick(TAGS), pick(TAGS)],
        department,
        project: `project-${String(index % 9)}`,
      },
      aiSettings: { autoEnhance: false, suggestionLevel: 'medium', language: 'en' },
    };
  });
}

function writeContent(pick: <T>(from: T[]) => T): string {
  let text = `# ${pick(HEADINGS)}\n\n`;
  while (text.length < CONTENT_LENGTH) {
    text += `## ${pick(HEADINGS)}\n\n${pick(SENTENCES)} ${pick(SENTENCES)} ${pick(SENTENCES)}\n\n`;
    text += `- ${pick(SENTENCES)}\n- **Owner:** ${pick(DEPARTMENTS)}\n\n`;
  }
  return text.slice(0, CONTENT_LENGTH + 200).trimEnd();
}
