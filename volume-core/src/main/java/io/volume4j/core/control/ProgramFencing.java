package io.volume4j.core.control;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Asks a program of the host whether a node can no longer reach its volumes. Such a program asks a power switch, a
 * management controller or a cloud provider. It may also disconnect the node itself. Thread-safe. Calls block.
 *
 * <p>The program gets its fixed arguments and then the node's name. It has a reduced environment and no input, see
 * {@link Programs}. It must be idempotent, because the controller runs it again while a volume waits. The exit status
 * means:
 *
 * <table>
 * <caption>Ends of the program</caption>
 * <tr><th>exit status</th><th>meaning</th></tr>
 * <tr><td>0</td><td>The node is off, or can no longer reach its volumes. The first line of the output is the
 * evidence, which events and logs show. It must not contain a secret.</td></tr>
 * <tr><td>1</td><td>No evidence yet; the controller asks again.</td></tr>
 * <tr><td>any other, killed, or not started</td><td>The program failed. A failure is not evidence; the controller
 * asks again and logs the failure.</td></tr>
 * </table>
 *
 * @since 0.1.0
 */
public final class ProgramFencing implements FencingAuthority {
    private static final int CUT_OFF = 0;
    private static final int NO_EVIDENCE = 1;
    private static final int LONGEST_EVIDENCE = 200;

    private final Programs programs;
    private final Path program;
    private final List<String> arguments;
    private final Duration limit;

    /**
     * An authority that runs the program for each question.
     *
     * @param programs runs the program, for example {@code LinuxMountBackend.create().programs()}
     * @param program absolute path
     * @param arguments the arguments before the node's name; must not contain a secret, because other users of the
     *     machine can see them
     * @param limit how long the program may run; the controller's own deadline may come first
     * @throws IllegalArgumentException if the path is not absolute or the limit not positive
     */
    public ProgramFencing(Programs programs, Path program, List<String> arguments, Duration limit) {
        if (!program.isAbsolute()) {
            throw new IllegalArgumentException("the fencing program's path must be absolute, not " + program);
        }
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("the fencing program's limit must be positive, not " + limit);
        }
        this.programs = programs;
        this.program = program;
        this.arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
        this.limit = limit;
    }

    @Override
    public Optional<Fence> fence(String nodeName, CallContext context) {
        if (!NameRule.SUBDOMAIN.allows(nodeName)) {
            throw VolumeException.finalFailure("the fencing program " + program
                    + " is not asked about this node: its name must be " + NameRule.SUBDOMAIN.description());
        }
        List<String> line = new ArrayList<>(arguments);
        line.add(nodeName);
        Outcome outcome = programs.run(new Command(program, line, limit), context);
        if (outcome.ending() != Ending.EXITED) {
            throw failed(nodeName, "did not end in time and was killed", "see why it hangs; the limit is " + limit);
        }
        return switch (outcome.exitCode()) {
            case CUT_OFF ->
                Optional.of(new Fence(Fence.Kind.AUTHORITY_PROOF, nodeName, evidence(nodeName, outcome.output())));
            case NO_EVIDENCE -> Optional.empty();
            default ->
                throw failed(
                        nodeName,
                        "ended with status " + outcome.exitCode(),
                        "run it by hand; it must end with 0 for a node that is cut off and with 1 for one that may not be");
        };
    }

    private VolumeException failed(String nodeName, String how, String advice) {
        return VolumeException.transientFailure(
                        "the fencing program " + program + ", asked about node " + nodeName + ", " + how)
                .withAdvice(advice);
    }

    private String evidence(String nodeName, String output) {
        StringBuilder line = new StringBuilder();
        output.strip()
                .lines()
                .findFirst()
                .orElse("node " + nodeName + " is cut off")
                .codePoints()
                .limit(LONGEST_EVIDENCE)
                .filter(point -> !Character.isISOControl(point) && Character.getType(point) != Character.FORMAT)
                .forEach(line::appendCodePoint);
        return program.getFileName() + " says: " + line;
    }
}
