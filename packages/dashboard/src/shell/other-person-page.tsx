import { Button, Group, Text } from '@mantine/core';
import type { SessionUser } from '../api/people.js';
import { Page } from '../components/page.js';

/** Shown when another person has signed in from this browser. Its buttons reload the page, which drops cached data. */
export function OtherPersonPage({ user }: { user: SessionUser }) {
  return (
    <main>
      <Page
        title="Another user signed in"
        sentence={`${user.name} (${user.email}) signed in from another tab in this browser.`}
      >
        <Text size="sm" mb="md">
          To continue as the previous person, sign out and sign in again.
        </Text>
        <Group>
          <Button component="a" href="/dashboard/">
            Continue as {user.name}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              window.location.reload();
            }}
          >
            Reload page
          </Button>
        </Group>
      </Page>
    </main>
  );
}
