import { Button, Text } from '@mantine/core';
import type { components } from '../../../api/v1-schema.js';
import classes from './finding-notes.module.css';

type Finding = Pick<
  components['schemas']['Issue'],
  'ruleId' | 'explanation' | 'message' | 'original' | 'replacements' | 'safe'
>;

/** Shows why a passage was found, by which rule, and how likely the first replacement is right. */
export function FindingNotes({ finding }: { finding: Finding }) {
  const { ruleId, explanation, message } = finding;
  return (
    <>
      {explanation !== message && (
        <Text size="xs" c="dimmed">
          {explanation}
        </Text>
      )}
      <Text size="xs" c="dimmed" className={classes.rule ?? ''}>
        Rule <code>{ruleId}</code> · {certaintyOf(finding)}
      </Text>
    </>
  );
}

/** Returns `Sure` for replacements that can be accepted unread. */
function certaintyOf({ safe, replacements }: Pick<Finding, 'safe' | 'replacements'>): string {
  const [first] = replacements;
  if (!first) return 'No replacement';
  return safe ? 'Sure' : `${String(Math.round(first.confidence * 100))}% sure`;
}

interface TurnOffProps {
  finding: Finding;
  tabIndex?: number;
  onTurnOff: ((ruleId: string) => void) | undefined;
}

/** Turns the rule off for the account. Style rules are edited in the settings instead. */
export function TurnOffRule({ finding, tabIndex, onTurnOff }: TurnOffProps) {
  const { ruleId, original } = finding;
  if (!onTurnOff || ruleId.startsWith('house-style.')) return null;
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      {...(tabIndex !== undefined && { tabIndex })}
      aria-label={`Turn off this rule: ${ruleId}, for ${original}`}
      onClick={() => {
        onTurnOff(ruleId);
      }}
    >
      Turn off this rule
    </Button>
  );
}
