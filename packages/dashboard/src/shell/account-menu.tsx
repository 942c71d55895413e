import { Kbd, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { dashboardApi } from '../api/client.js';
import { sessionQuery, useSession } from '../api/session.js';
import { Icon } from '../components/icons.js';
import { showFailure } from '../components/messages.js';
import { useDialogs } from '../components/use-dialogs.js';
import { Avatar } from './avatar.js';
import classes from './shell.module.css';

const SCHEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['auto', 'System'],
] as const;

/** Menu with profile, theme and sign-out. */
export function AccountMenu() {
  const { user } = useSession();
  const navigate = useNavigate();
  const { open } = useDialogs();
  const queryClient = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme({
    // Without it, a style element would switch off transitions, which the policy forbids.
    keepTransitions: true,
  });
  const signOut = useMutation({
    mutationFn: () => dashboardApi.DELETE('/dashboard/api/session'),
    onSuccess: async () => {
      await queryClient.cancelQueries();
      await queryClient.query({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/sign-in' });
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    },
    onError: showFailure,
  });
  // The session may have ended just before the page is replaced.
  if (!user) return null;
  return (
    <Menu position="bottom-end" aria-label="Account">
      <Menu.Target>
        <UnstyledButton className={classes.person ?? ''} aria-label="Account">
          <Avatar kind="person" id={user.id} name={user.name} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Account">
        <Menu.Label>
          <span className={classes.personName}>{user.name}</span>
          <br />
          {user.email}
        </Menu.Label>
        <Menu.Item onClick={() => void navigate({ to: '/profile' })}>Profile</Menu.Item>
        <Menu.Item
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={() => {
            open('shortcuts');
          }}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {SCHEMES.map(([scheme, name]) => (
          <Menu.Item
            key={scheme}
            aria-current={colorScheme === scheme}
            rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : undefined}
            onClick={() => {
              setColorScheme(scheme);
            }}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          onClick={() => {
            signOut.mutate();
          }}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
