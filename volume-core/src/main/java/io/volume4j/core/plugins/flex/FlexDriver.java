package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.flex.FlexAnswer.Status;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Calls one driver and parses its answers. After a driver reports a command as not supported, the library does not
 * call that command again. A replaced driver is another object. Thread-safe.
 */
final class FlexDriver {
    private final Programs programs;
    private final String name;
    private final Path program;
    private final Duration limit;
    private final Set<FlexCommand> unsupported = Collections.synchronizedSet(EnumSet.noneOf(FlexCommand.class));

    /**
     * Creates a driver.
     *
     * @param name {@code vendor/driver}
     * @param limit of each call
     */
    FlexDriver(Programs programs, String name, Path program, Duration limit) {
        this.programs = programs;
        this.name = name;
        this.program = program;
        this.limit = limit;
    }

    String name() {
        return name;
    }

    /**
     * Calls the driver.
     *
     * @return its answer, empty if it does not support the command
     * @throws VolumeException of a kind that matches the command: uncertain if the call may have had an effect
     */
    Optional<FlexAnswer> call(FlexCommand command, CallContext context, String... arguments) {
        if (unsupported.contains(command)) {
            return Optional.empty();
        }
        List<String> line = new ArrayList<>();
        line.add(command.word());
        line.addAll(Arrays.asList(arguments));
        Outcome outcome = programs.run(new Command(program, line, limit), context);
        if (outcome.ending() != Ending.EXITED) {
            throw failed(command, outcome.ending() == Ending.OVERDUE ? "timeout" : "killed: " + outcome.ending());
        }
        if (outcome.cut()) {
            throw failed(command, "it printed more than is read, which is no answer");
        }
        FlexAnswer answer = FlexAnswer.parse(outcome.output())
                .orElseThrow(() -> failed(
                        command,
                        "exit code " + outcome.exitCode()
                                + ", and what it printed is not one JSON object with status Success, Failure or"
                                + " Not supported: "
                                + MessageText.text(outcome.output().strip())));
        if (answer.status() == Status.NOT_SUPPORTED) {
            unsupported.add(command);
            return Optional.empty();
        }
        if (answer.status() == Status.FAILURE) {
            throw failed(command, "it says: " + MessageText.text(answer.message()));
        }
        if (outcome.exitCode() != 0) {
            throw failed(command, "it says Success and ended with exit code " + outcome.exitCode());
        }
        return Optional.of(answer);
    }

    private VolumeException failed(FlexCommand command, String why) {
        FailureKind kind = command.hasEffect() ? FailureKind.UNCERTAIN : FailureKind.TRANSIENT;
        return VolumeException.of(kind, "flexvolume driver " + name + " " + command.word() + ": " + why);
    }
}
