/** Runs before each test file: files share one module graph, but none begins with what another left in the session. */
import { session } from '#store/session/session.ts';

session.setState(session.getInitialState(), true);
