import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../api/client.js';
import { useAccount, useUser } from '../../../api/session.js';
import { CodeBlock } from '../../../components/code-block.js';
import { CopyButton } from '../../../components/copy-button.js';
import { showDone, showFailure } from '../../../components/messages.js';
import { Section } from '../../../components/page.js';
import { exactTime } from '../../../components/time.js';
import { versionTag, type Document } from '../document-types.js';
import { dismissKept, readKeptTexts, type KeptText } from '../editor/drafts.js';
import { useAllowance } from '../../../components/use-allowance.js';
import classes from './history.module.css';

interface KeptTextsProps {
  documentId: string;
  document: Document | undefined;
}

/** Shows your texts that were replaced by others, until they are dismissed. They exist only in this browser. */
export function KeptTexts({ documentId, document }: KeptTextsProps) {
  const { id: accountId } = useAccount();
  const { id: userId } = useUser();
  const place = { userId, accountId, documentId };
  const kept = useQuery({
    queryKey: [accountId, 'kept-texts', documentId],
    queryFn: () => readKeptTexts(place),
    gcTime: 0,
  });
  if (!kept.data || kept.data.length === 0) return null;
  return (
    <Section title="Kept in this browser">
      <Text size="sm" c="dimmed" mb="sm">
        Texts you replaced. They stay here until you dismiss them.
      </Text>
      <ul className={classes.kept} aria-label="Kept in this browser">
        {kept.data.map((text) => (
          <OneKeptText
            key={text.key}
            text={text}
            document={document}
            onGone={() => void kept.refetch()}
          />
        ))}
      </ul>
    </Section>
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** Returns "Your text of 14:02", with the day unless it is today. */
function nameOf({ at }: KeptText): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  return `Your text from ${isToday ? '' : `${DAY.format(time)}, `}${TIME.format(time)}`;
}

interface OneKeptTextProps {
  text: KeptText;
  document: Document | undefined;
  onGone: () => void;
}

function OneKeptText({ text, document, onGone }: OneKeptTextProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('documents:write');
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(text);
  const dismiss = async () => {
    await dismissKept(text.key);
    onGone();
  };
  const use = useMutation({
    mutationFn: async ({ id, version }: Document) => {
      await dataOf(
        api.PATCH('/v1/documents/{id}', {
          params: { path: { id }, header: { 'If-Match': versionTag(version) } },
          body: { title: text.title, content: text.content },
        }),
      );
      await dismiss();
    },
    onSuccess: async () => {
      showDone(`${name} restored. The previous text is in History.`);
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents'] });
    },
    onError: showFailure,
  });
  return (
    <li>
      <Group justify="space-between">
        <span title={exactTime(new Date(text.at))}>{name}</span>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`Show ${name}`}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            Show
          </Button>
          <CopyButton name="Copy" text={text.content} />
          {document && (
            <Button
              size="compact-sm"
              variant="default"
              loading={use.isPending}
              aria-label={`Use ${name}`}
              onClick={() => {
                use.mutate(document);
              }}
              {...allowance}
            >
              Use
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Dismiss ${name}`}
            onClick={() => void dismiss()}
          >
            Dismiss
          </Button>
        </Group>
      </Group>
      {isOpen && <CodeBlock name={name} text={`${text.title}\n\n${text.content}`} />}
    </li>
  );
}
