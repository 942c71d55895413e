import { Button, Group, NativeSelect, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { showDone } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useSearchState } from '../../search-state.js';
import { Form } from '../people/form.js';
import classes from './settings.module.css';
import { RULE_EXAMPLES, WRITE_RULES, type StyleRule, type StyleRules } from './style-rules.js';
import { useDraft } from './use-draft.js';

type CreateStyleRules = components['schemas']['CreateStyleRules'];

const KINDS = Object.keys(RULE_EXAMPLES) as StyleRule['kind'][];
const FEWEST_LINES = 8;
const MOST_LINES = 28;

/** Writes a new version, beginning with the rules of another one. The service judges the rules and names what is wrong. */
export function StyleRulesEditor({ from }: { from: StyleRules | undefined }) {
  const { id, api } = useAccount();
  const queryClient = useQueryClient();
  const [, change] = useSearchState();
  const allowance = useAllowance(WRITE_RULES);
  const begin = JSON.stringify(from?.rules ?? [RULE_EXAMPLES.replacement], null, 2);
  const draft = useDraft(`style-rules:${id}:${String(from?.version ?? 'new')}`, begin);
  const [kind, setKind] = useState<StyleRule['kind']>('replacement');
  const parsed = rulesOf(draft.text);
  const save = useMutation({
    mutationFn: (rules: unknown[]) =>
      dataOf(api.POST('/v1/style-rules', { body: { rules } as CreateStyleRules })),
    onSuccess: async ({ version }) => {
      draft.clear();
      showDone(`Version ${String(version)} saved. Try a dry run, then activate the version.`);
      await queryClient.invalidateQueries({ queryKey: [id, 'style-rules'] });
      change({ edit: undefined, open: String(version) });
    },
  });
  const lines = Math.min(MOST_LINES, Math.max(FEWEST_LINES, draft.text.split('\n').length));
  return (
    <Section title={from ? `New version from version ${String(from.version)}` : 'New version'}>
      <Form
        submit="Save rules"
        submission={save}
        disabled={parsed.rules === undefined}
        whyNot={allowance.title}
        beside={
          <Button
            variant="default"
            onClick={() => {
              draft.clear();
              change({ edit: undefined });
            }}
          >
            Discard rules
          </Button>
        }
        onSubmit={() => {
          if (parsed.rules) save.mutate(parsed.rules);
        }}
      >
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label="Kind of rule"
            data={KINDS}
            value={kind}
            onChange={({ currentTarget }) => {
              setKind(currentTarget.value as StyleRule['kind']);
            }}
          />
          <Button
            variant="default"
            disabled={parsed.rules === undefined}
            onClick={() => {
              const rules = [...(parsed.rules ?? []), newRule(kind, parsed.rules ?? [])];
              draft.setText(JSON.stringify(rules, null, 2));
            }}
          >
            Add rule
          </Button>
        </Group>
        <Textarea
          className={classes.code}
          label="Rules"
          description="A JSON array. Each rule needs an id, a kind and a severity (error, warning, style)."
          spellCheck={false}
          rows={lines}
          value={draft.text}
          error={parsed.problem}
          onChange={({ currentTarget }) => {
            draft.setText(currentTarget.value);
          }}
        />
        {draft.isChanged && (
          <Text size="sm" c="dimmed">
            Unsaved draft, kept in this tab.
          </Text>
        )}
      </Form>
    </Section>
  );
}

/** The rules in a text, or why there are none. */
function rulesOf(text: string): { rules?: unknown[]; problem?: string } {
  try {
    const rules: unknown = JSON.parse(text);
    return Array.isArray(rules) ? { rules } : { problem: 'Enter a JSON array: [ … ]' };
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

/** An example of the kind, with an id that no other rule has. */
function newRule(kind: StyleRule['kind'], rules: readonly unknown[]): StyleRule {
  const example = RULE_EXAMPLES[kind];
  const taken = new Set(rules.map((rule) => (rule as Partial<StyleRule> | null)?.id));
  let id = example.id;
  for (let number = 2; taken.has(id); number += 1) id = `${example.id}-${String(number)}`;
  return { ...example, id };
}
