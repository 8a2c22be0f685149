package io.volume4j.core.plugins.san;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files of open-iscsi about portals. This class writes credentials into them, because the only other way is the
 * command line of iscsiadm, where every user of the machine could read them. Thread-safe.
 */
final class IscsiRecords {
    /** The first directory is that of Debian, SUSE and Arch, the second that of Fedora and newer releases. */
    private static final List<Path> PLACES = List.of(Path.of("/etc/iscsi"), Path.of("/var/lib/iscsi"));

    private static final int LARGEST = 64 * 1024;
    private static final int MODE = 0600;

    private final HostFiles files;

    IscsiRecords(HostFiles files) {
        this.files = files;
    }

    /** Whether there is a record of the target at the portal with that interface. */
    boolean knowsNode(IscsiPortal portal, String target, String iface) {
        return node(portal, target, iface).isPresent();
    }

    void writeToNode(IscsiPortal portal, String target, String iface, IscsiCredentials credentials) {
        write(node(portal, target, iface), "target " + target + " at " + portal, credentials);
    }

    void writeToDiscovery(IscsiPortal portal, IscsiCredentials credentials) {
        write(discovery(portal), "portal " + portal, credentials);
    }

    private void write(Optional<RootedPath> found, String what, IscsiCredentials credentials) {
        RootedPath file = found.orElseThrow(() -> VolumeException.finalFailure(
                        "cannot give open-iscsi the credentials for " + what + ": its record is in none of " + PLACES)
                .withAdvice("this version of open-iscsi keeps its records elsewhere"));
        String record = files.read(file, LARGEST)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElseThrow(() -> VolumeException.transientFailure(file + " went away just now"));
        byte[] text = credentials.writtenInto(record).getBytes(StandardCharsets.UTF_8);
        files.writeAtomically(file, text, MODE);
    }

    private Optional<RootedPath> discovery(IscsiPortal portal) {
        return PLACES.stream()
                .map(place -> new RootedPath(place.resolve("send_targets"), Path.of(portal.recordName(), "st_config")))
                .filter(this::isFile)
                .findFirst();
    }

    /**
     * The record's path: {@code nodes/<target>/<host>,<port>,<group>/<interface>}, or
     * {@code nodes/<target>/<host>,<port>} if the group is unknown.
     */
    private Optional<RootedPath> node(IscsiPortal portal, String target, String iface) {
        for (Path place : PLACES) {
            RootedPath directory = new RootedPath(place.resolve("nodes"), Path.of(target));
            for (String name : files.list(directory)) {
                RootedPath plain = directory.resolve(name);
                if (name.equals(portal.recordName()) && isFile(plain)) {
                    return Optional.of(plain);
                }
                if (name.startsWith(portal.recordName() + ",") && isFile(plain.resolve(iface))) {
                    return Optional.of(plain.resolve(iface));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isFile(RootedPath path) {
        return files.status(path)
                .filter(status -> status.type() == FileStatus.Type.FILE)
                .isPresent();
    }
}
