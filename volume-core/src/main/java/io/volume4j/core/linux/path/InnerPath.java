package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Resolves a path inside a directory that untrusted processes may write to. Follows links only within it. Each name is
 * opened from the descriptor of its directory, each link is read through its own descriptor, and {@code ..} returns to
 * the descriptor from which the walk came. So the checked file is the used file, even if other processes rename and
 * link meanwhile. Thread-safe.
 */
public final class InnerPath {
    /** The kernel's limit; path_resolution(7). */
    private static final int MOST_LINKS = 40;

    private static final int MOST_TRIES = 100;

    private final Kernel kernel;

    public InnerPath(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * Opens the path. Creates missing directories with the mode.
     *
     * @param top stays open
     */
    public Descriptor open(Descriptor top, Path inside, int missingMode) {
        return new Walk(top, inside, missingMode).run();
    }

    private final class Walk {
        private final Descriptor top;
        private final Path inside;
        private final int missingMode;
        private final Deque<String> todo = new ArrayDeque<>();
        /** The directories between the topmost one, which is not included, and here. */
        private final List<Descriptor> way = new ArrayList<>();

        private int links;
        private int tries;

        Walk(Descriptor top, Path inside, int missingMode) {
            this.top = top;
            this.inside = inside;
            this.missingMode = missingMode;
            inside.forEach(name -> todo.add(name.toString()));
        }

        Descriptor run() {
            try {
                while (!todo.isEmpty()) {
                    String name = todo.remove();
                    if (name.equals("..")) {
                        up();
                    } else if (!name.isEmpty() && !name.equals(".")) {
                        down(name);
                    }
                }
                if (way.isEmpty()) {
                    throw refusal("is the volume itself");
                }
                return way.remove(way.size() - 1);
            } finally {
                way.forEach(Descriptor::close);
            }
        }

        private void up() {
            if (way.isEmpty()) {
                throw refusal("leads out of the volume");
            }
            way.remove(way.size() - 1).close();
        }

        private void down(String name) {
            Descriptor here = way.isEmpty() ? top : way.get(way.size() - 1);
            Descriptor found;
            try {
                found = kernel.openAt(here, name, Kernel.O_PATH, 0);
            } catch (SyscallException e) {
                if (!e.is(Errno.ENOENT) || ++tries > MOST_TRIES) {
                    throw e;
                }
                make(here, name);
                return;
            }
            FileStatus.Type type = kernel.facts(found).type();
            if (type == FileStatus.Type.LINK) {
                try (found) {
                    follow(kernel.readLink(found, ""));
                }
            } else {
                way.add(found);
            }
        }

        /**
         * Creates the directory. Another process may have created another file there first, so the walk then opens the
         * existing one.
         */
        private void make(Descriptor here, String name) {
            todo.addFirst(name);
            try {
                kernel.makeDirectory(here, name, missingMode);
            } catch (SyscallException e) {
                if (e.is(Errno.EEXIST)) {
                    return;
                }
                throw e;
            }
            // mkdirat applies the umask.
            try (Descriptor made = kernel.openAt(here, name, kernel.architecture().openDirectory, 0)) {
                kernel.changeMode(made, missingMode);
            } catch (SyscallException e) {
                if (!e.is(Errno.ENOENT) && !e.is(Errno.ENOTDIR) && !e.is(Errno.ELOOP)) {
                    throw e;
                }
            }
        }

        private void follow(String text) {
            if (++links > MOST_LINKS) {
                throw refusal("has more links than are followed");
            }
            if (text.startsWith("/")) {
                throw refusal("leads out of the volume by a link to " + text);
            }
            String[] names = text.split("/", -1);
            for (int i = names.length - 1; i >= 0; i--) {
                todo.addFirst(names[i]);
            }
        }

        private VolumeException refusal(String why) {
            return VolumeException.finalFailure("subPath " + inside + " " + why)
                    .withAdvice("only what lies inside the volume can be given to a container");
        }
    }
}
