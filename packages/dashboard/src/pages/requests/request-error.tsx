import { Stack, Text } from '@mantine/core';
import type { components } from '../../api/v1-schema.js';
import { CodeBlock, prettyJson } from '../../components/code-block.js';
import { Section } from '../../components/page.js';
import classes from './requests.module.css';

interface Problem {
  field: string;
  issue: string;
}

/** Shows the error of a response with all its problems. */
export function RequestErrorSection({ error }: { error: components['schemas']['RequestError'] }) {
  const problems = problemsOf(error.details);
  return (
    <Section title="Error">
      <Stack gap="sm">
        <Text size="sm">
          <strong>{error.code}</strong>: {error.message}
        </Text>
        {problems.length > 0 && (
          <ul className={classes.problems} aria-label="Problems">
            {problems.map(({ field, issue }, index) => (
              <li key={index}>
                <strong>{field}</strong> {issue}
              </li>
            ))}
          </ul>
        )}
        {error.details && <CodeBlock name="Details" text={prettyJson(error.details)} />}
      </Stack>
    </Section>
  );
}

function problemsOf(details: Record<string, unknown> | undefined): Problem[] {
  const { problems } = details ?? {};
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

function isProblem(value: unknown): value is Problem {
  const { field, issue } = (value ?? {}) as Partial<Problem>;
  return typeof field === 'string' && typeof issue === 'string';
}
