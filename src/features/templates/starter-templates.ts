import type { TemplateFields } from './template-fields.js';
import { readVariables, type DeclaredVariable } from './variables.js';

/** The templates that every account begins with, one for each type of document. */
export const STARTER_TEMPLATES: readonly TemplateFields[] = [
  starter({
    type: 'document',
    name: 'Meeting notes',
    description: 'What a meeting decided, who does what until when, and what stayed open.',
    title: '{{topic}}: notes of {{date}}',
    variables: [
      { name: 'topic', required: true, description: 'What the meeting is about' },
      { name: 'date', required: true, description: 'Day of the meeting, such as 2026-11-21' },
      { name: 'participants', default: 'to be added', description: 'Who was there' },
      { name: 'goal', default: 'to be added', description: 'What the meeting is to bring about' },
    ],
    tags: ['meeting'],
    content: `# {{topic}}

**Date:** {{date}}
**Present:** {{participants}}
**Goal:** {{goal}}

## Decisions

1. What was decided, and why.

## Actions

| Who | Does what | Until |
| --- | --------- | ----- |
|     |           |       |

## Discussion

-

## Open questions

-
`,
  }),
  starter({
    type: 'report',
    name: 'Status report',
    description: 'Where a project stands after a period: results, numbers, risks and next steps.',
    title: '{{project}}: status report, {{period}}',
    variables: [
      { name: 'project', required: true, description: 'Name of the project' },
      { name: 'period', required: true, description: 'What it covers, such as Q3 2026 or week 47' },
      { name: 'author', default: 'the project team', description: 'Who answers questions' },
      { name: 'status', default: 'on track', description: 'On track, at risk or off track' },
      { name: 'summary', default: 'To be added.', description: 'The report in three sentences' },
    ],
    tags: ['report', 'status'],
    metadata: { project: '{{project}}' },
    content: `# {{project}}: status report, {{period}}

**Status:** {{status}}
**Contact:** {{author}}

## Summary

{{summary}}

## What was reached

-

## Numbers

| Measure | Goal | Now | Trend |
| ------- | ---- | --- | ----- |
|         |      |     |       |

## Risks and obstacles

| Risk | Likely | Harm | What we do about it |
| ---- | ------ | ---- | ------------------- |
|      |        |      |                     |

## Next steps and decisions we need

1.
`,
  }),
  starter({
    type: 'article',
    name: 'How-to article',
    description: 'Leads a reader to one goal step by step, and helps when a step fails.',
    title: 'How to {{goal}}',
    variables: [
      {
        name: 'goal',
        required: true,
        description: 'What the reader wants, such as: back up a database',
      },
      { name: 'audience', default: 'everyone who needs it', description: 'For whom it is written' },
      { name: 'time', default: 'ten minutes', description: 'How long it takes' },
      { name: 'product', default: 'the product', description: 'What it is done with' },
    ],
    tags: ['how-to'],
    content: `# How to {{goal}}

This article shows {{audience}} how to {{goal}} with {{product}}. It takes about {{time}}.

## Before you begin

You need:

-

## Steps

1. **First step.** What to do, and what you see when it worked.
2. **Second step.**
3. **Third step.**

## Check that it worked

-

## If something goes wrong

| What you see | Why | What to do |
| ------------ | --- | ---------- |
|              |     |            |
`,
  }),
  starter({
    type: 'research',
    name: 'Research brief',
    description: 'A question, how it is studied, what was found and how far that holds.',
    title: '{{question}}',
    variables: [
      { name: 'question', required: true, description: 'The question, in one sentence' },
      { name: 'researcher', required: true, description: 'Who does the study' },
      { name: 'method', default: 'To be added.', description: 'How it is studied, and with whom' },
      { name: 'hypothesis', default: 'None yet.', description: 'What you expect, and why' },
      { name: 'deadline', default: 'open', description: 'When the answer is needed' },
    ],
    tags: ['research'],
    content: `# {{question}}

**Researcher:** {{researcher}}
**Needed by:** {{deadline}}

## Abstract

Question, method, finding and consequence in five sentences. Write it last.

## Background

What is known already, with its sources, and what the answer will be used for.

## Hypothesis

{{hypothesis}}

## Method

{{method}}

## Findings

1.

## Limits

What the data cannot say, and what could have led us astray.

## Consequences

-

## Sources

1.
`,
  }),
  starter({
    type: 'technical',
    name: 'Technical design',
    description:
      'A change to a system: the problem, the design, what it costs, how it is rolled out.',
    title: 'Design: {{change}}',
    variables: [
      { name: 'change', required: true, description: 'What is to be built or changed' },
      { name: 'system', required: true, description: 'The system or service it belongs to' },
      { name: 'author', default: 'to be added', description: 'Who wrote it and answers for it' },
      { name: 'reviewers', default: 'to be added', description: 'Who has to agree' },
      {
        name: 'problem',
        default: 'To be added.',
        description: 'What is wrong today, with numbers',
      },
    ],
    tags: ['design'],
    metadata: { project: '{{system}}' },
    content: `# Design: {{change}}

**System:** {{system}}
**Author:** {{author}}
**Reviewers:** {{reviewers}}

## Problem

{{problem}}

## Goals

-

## What is not a goal

-

## Design

How it works, from the outside in. A drawing, then the parts, their data and their interfaces.

\`\`\`text
client -> {{system}} -> storage
\`\`\`

## Failures

| What fails | What happens then | How we notice |
| ---------- | ----------------- | ------------- |
|            |                   |               |

## Security and privacy

-

## Roll-out and way back

1.

## Alternatives

| Alternative | Why not |
| ----------- | ------- |
|             |         |

## Open questions

-
`,
  }),
];

/** A starter template as it is written in code. */
interface Starter extends Pick<TemplateFields, 'type' | 'name' | 'title' | 'content'> {
  description: string;
  variables: readonly DeclaredVariable[];
  tags: readonly string[];
  metadata?: Record<string, string>;
}

/** The template of a starter; metadata are its tags and what else it says. */
function starter({ variables, tags, metadata = {}, ...fields }: Starter): TemplateFields {
  return {
    ...fields,
    variables: JSON.stringify(readVariables(variables)),
    metadata: JSON.stringify({ tags, ...metadata }),
    aiSettings: '{}',
  };
}
