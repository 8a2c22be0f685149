package io.volume4j.inmemory.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A FUSE filesystem whose server never answers, as a dead NFS server does not: looking into it blocks in the kernel until
 * the mount is ended. The server is a process that holds the device open and sleeps.
 */
final class MuteFuse implements AutoCloseable {
    private static final String SCRIPT = "exec 3<>/dev/fuse && "
            + "mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 mute \"$1\" && echo mounted && exec sleep 600";

    private final Process server;

    private MuteFuse(Process server) {
        this.server = server;
    }

    /** Mounts it; the directory must exist. */
    static MuteFuse mount(Path target) {
        try {
            Process server = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "sh", target.toString())
                    .redirectErrorStream(true)
                    .start();
            InputStream output = server.getInputStream();
            byte[] said = output.readNBytes("mounted".length());
            if (!new String(said, java.nio.charset.StandardCharsets.US_ASCII).equals("mounted")) {
                server.destroyForcibly();
                throw new IllegalStateException(
                        "no FUSE mount: " + new String(said, java.nio.charset.StandardCharsets.US_ASCII)
                                + new String(output.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII));
            }
            return new MuteFuse(server);
        } catch (IOException failed) {
            throw new IllegalStateException("no FUSE mount: " + failed.getMessage(), failed);
        }
    }

    /** Ends the server: each call that waits for it fails. */
    @Override
    public void close() {
        server.destroyForcibly();
        try {
            if (!server.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the FUSE server did not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
