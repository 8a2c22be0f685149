package io.volume4j.core.plugins.nfs;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Resolves the address of an NFS server: the kernel accepts only addresses, nfs(5). */
@FunctionalInterface
public interface NfsServers {
    /**
     * The server's numeric address. May block.
     *
     * @throws VolumeException transient, if the name cannot be resolved now
     */
    String addressOf(String server);

    static NfsServers system() {
        return server -> {
            try {
                return InetAddress.getByName(server).getHostAddress();
            } catch (UnknownHostException e) {
                throw VolumeException.transientFailure("nfs server " + MessageText.text(server) + " is not known to the"
                                + " name service of this machine")
                        .withAdvice("correct the server's name, or make it known")
                        .withCause(e);
            }
        };
    }
}
