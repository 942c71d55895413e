import { Button, Group, Text } from '@mantine/core';
import { CopyButton } from '../../../components/copy-button.js';
import { useAllowance } from '../../../components/use-allowance.js';
import type { DocumentSession } from '../editor/document-session.js';
import classes from '../margin/margin.module.css';
import type { Enhancement } from './use-suggestions.js';

interface ProposedTextsProps {
  session: DocumentSession;
  enhancement: Enhancement;
}

/** A proposed title, or a title or summary by a language model. */
export function ProposedTexts({ session, enhancement }: ProposedTextsProps) {
  const writing = useAllowance('documents:write');
  return enhancement.texts.map(({ goal, text }) => (
    <div key={goal + text} className={classes.proposal}>
      <Text size="sm" fw={500}>
        {goal === 'title' ? 'Proposed title' : 'Summary'}
      </Text>
      <Text size="sm" dir="auto">
        {text}
      </Text>
      <Group gap={6} mt={6}>
        {goal === 'title' && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              session.edit({ title: text });
            }}
            {...writing}
          >
            Use as title
          </Button>
        )}
        <CopyButton name={goal === 'title' ? 'Copy title' : 'Copy summary'} text={text} />
      </Group>
    </div>
  ));
}
