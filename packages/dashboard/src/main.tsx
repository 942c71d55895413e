import './theme/styles.js';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient, watchAccess } from './api/queries.js';
import { createAppRouter } from './router.js';
import { sessionQuery } from './api/session.js';
import { MessageArea } from './shell/message-area.js';
import { theme } from './theme/theme.js';

const askForSession = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
watchAccess(
  () => void askForSession().then(() => router.invalidate()),
  () => void askForSession(),
);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queryClient}>
          <MessageArea />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
