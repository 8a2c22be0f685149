package io.volume4j.inmemory.mount;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Programs;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Programs that are functions of the test. Has its own lock; a program runs without any lock. */
final class MemoryPrograms implements Programs {
    private final MachineCalls calls;
    private final TreeMap<Path, Function<Command, Outcome>> installed = new TreeMap<>();

    MemoryPrograms(MachineCalls calls) {
        this.calls = calls;
    }

    synchronized void install(Path program, Function<Command, Outcome> behaviour) {
        installed.put(program, behaviour);
    }

    private synchronized Optional<Function<Command, Outcome>> behaviour(Path program) {
        return Optional.ofNullable(installed.get(program));
    }

    @Override
    public synchronized Optional<Path> find(String name) {
        return installed.keySet().stream().filter(path -> path.endsWith(name)).findFirst();
    }

    @Override
    public Outcome run(Command command, CallContext context) {
        Function<Command, Outcome> behaviour = behaviour(command.program())
                .orElseThrow(() -> VolumeException.transientFailure(
                        "cannot start " + command.program() + ": there is no such program"));
        return calls.run("run", command.program(), context, () -> behaviour.apply(command));
    }
}
