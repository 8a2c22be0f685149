package io.volume4j.inmemory.remote;

import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Provisioner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A provisioner in a JVM of its own. A volume is a directory; the cluster is all that it shares with the controller. Ends when
 * the cluster does, so also when the process that serves it dies.
 *
 * <p>Arguments: the port of the cluster, the directory of the volumes, and optionally a file: while that does not exist, the
 * process makes it and halts as soon as it has made a volume, before another process learns of the volume.
 */
final class ProvisionerProcess {
    static final String NAME = "directories.example.com";
    static final int HALTED = 7;

    private ProvisionerProcess() {}

    public static void main(String[] arguments) throws Exception {
        RemoteCluster cluster = new RemoteCluster(Integer.parseInt(arguments[0]));
        Directories directories =
                new Directories(Path.of(arguments[1]), arguments.length > 2 ? Path.of(arguments[2]) : null);
        try (ExternalProvisioner provisioner = ExternalProvisioner.builder()
                .cluster(cluster, cluster)
                .backend(NAME, directories::make, directories::delete)
                .build()) {
            provisioner.start();
            cluster.awaitEnd();
        }
    }

    private record Directories(Path root, @Nullable Path haltsOnce) {
        Provisioner.ProvisionResult make(Provisioner.ProvisionRequest request, CallContext context) {
            try {
                Files.createDirectories(root.resolve(request.volumeName()));
                if (haltsOnce != null && !Files.exists(haltsOnce)) {
                    Files.createFile(haltsOnce);
                    Runtime.getRuntime().halt(HALTED);
                }
            } catch (IOException failed) {
                throw VolumeException.uncertain("cannot make " + request.volumeName())
                        .withCause(failed);
            }
            return Provisioner.ProvisionResult.of(
                    new NfsSource("server.example.com", "/" + request.volumeName(), false), request.requestedBytes());
        }

        void delete(Deleter.DeleteRequest request, CallContext context) {
            try {
                Files.deleteIfExists(root.resolve(request.volumeName()));
            } catch (IOException failed) {
                throw VolumeException.transientFailure("cannot delete " + request.volumeName())
                        .withCause(failed);
            }
        }
    }
}
