package io.volume4j.inmemory.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Common parts of the backends' contracts: a new root before each test, and a check for leaks after it. */
abstract class BackendContract {
    private @Nullable BackendFixture current;

    BackendContract() {}

    /** The backend under test; called once before each test. */
    protected abstract BackendFixture fixture();

    @BeforeEach
    final void makeRoot() {
        current = fixture();
        backend().files().createRoot(root());
    }

    @AfterEach
    final void leaveNothing() {
        try (BackendFixture closing = machine()) {
            MachineCleaner cleaner = new MachineCleaner(closing.backend(), closing.root());
            cleaner.clean();
            assertEquals(List.of(), cleaner.leaks());
        }
    }

    final BackendFixture machine() {
        return Objects.requireNonNull(current, "no test is running");
    }

    final MountBackend backend() {
        return machine().backend();
    }

    final Path root() {
        return machine().root();
    }

    final RootedPath path(String relative) {
        return RootedPath.of(root(), relative);
    }

    final RootedPath directory(String relative) {
        backend().files().createDirectory(path(relative), 0755);
        return path(relative);
    }

    final void tmpfs(String source, RootedPath target) {
        backend().mount(new FilesystemMount("tmpfs", source, false, List.of()), target);
    }

    final MountEntry at(RootedPath target) {
        return backend().table().at(target.absolute()).orElseThrow();
    }

    final List<Path> pointsBelow(RootedPath path) {
        return backend().table().below(path.absolute()).stream()
                .map(MountEntry::mountPoint)
                .toList();
    }
}
