package io.volume4j.core.linux.tool;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.IdMapping.Range;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Creates user namespaces only for their ID mappings; user_namespaces(7). A process with several threads cannot enter
 * one, so another process does: unshare(1) enters it and executes cat(1). The echo of cat proves that it is inside.
 * The process ends when its input is closed, so it does not outlive this process. The namespace lives on in the
 * descriptor. Thread-safe.
 */
public final class UserNamespaces {
    private static final int MARK = '!';
    private static final int MOST_TEXT = 1000;
    private static final int PATIENCE_SECONDS = 10;

    private final Kernel kernel;
    private final Tools tools;

    public UserNamespaces(Kernel kernel, Tools tools) {
        this.kernel = kernel;
        this.tools = tools;
    }

    /**
     * A namespace with the mapping. It exists until the descriptor is closed and no mount uses it.
     *
     * @throws VolumeException final, if this machine does not let the process create one; transient, if a process
     *     could not be started
     */
    public Descriptor open(IdMapping mapping) {
        Path unshare = tools.require("unshare", "util-linux");
        Path cat = tools.require("cat", "coreutils");
        ProcessBuilder builder = new ProcessBuilder(List.of(unshare.toString(), "--user", cat.toString()))
                .directory(new File("/"))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("LANG", "C");
        Process holder;
        try {
            holder = builder.start();
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot start unshare: " + e.getMessage())
                    .withCause(e);
        }
        try {
            enter(holder);
            Path process = Path.of("/proc/" + holder.pid());
            write(process.resolve("uid_map"), mapping.users());
            write(process.resolve("gid_map"), mapping.groups());
            return kernel.open(process.resolve("ns/user"), Kernel.O_RDONLY);
        } catch (SyscallException e) {
            throw Failures.of(e);
        } finally {
            end(holder);
        }
    }

    private static void enter(Process holder) {
        try {
            OutputStream input = holder.getOutputStream();
            input.write(MARK);
            input.flush();
        } catch (IOException e) {
            // The process ended first; its output contains the reason.
        }
        try {
            InputStream output = holder.getInputStream();
            int first = output.read();
            if (first != MARK) {
                String said = (first < 0 ? "" : (char) first)
                        + new String(output.readNBytes(MOST_TEXT), StandardCharsets.UTF_8).strip();
                throw VolumeException.finalFailure("cannot make a user namespace to map IDs with: " + said)
                        .withAdvice("allow user namespaces (sysctl user.max_user_namespaces), or run the pod with"
                                + " hostUsers: true");
            }
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot hear of the user namespace: " + e.getMessage())
                    .withCause(e);
        }
    }

    /** The kernel accepts a map only once, in one write(2). */
    private static void write(Path map, List<Range> ranges) {
        StringBuilder text = new StringBuilder();
        for (Range range : ranges) {
            text.append(range.inside()).append(' ').append(range.outside()).append(' ');
            text.append(range.count()).append('\n');
        }
        try {
            Files.write(map, text.toString().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw VolumeException.finalFailure(
                            "cannot map IDs as " + ranges + " by " + map.getFileName() + ": " + e.getMessage())
                    .withAdvice(
                            "give the node's process CAP_SETUID and CAP_SETGID, and the pod a range that user_namespaces(7)"
                                    + " allows")
                    .withCause(e);
        }
    }

    private static void end(Process holder) {
        holder.destroyForcibly();
        try {
            holder.getOutputStream().close();
            holder.getInputStream().close();
        } catch (IOException e) {
            // The pipes end with the process.
        }
        try {
            holder.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
