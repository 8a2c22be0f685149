package io.volume4j.core.plugins.san;

import io.volume4j.spi.mount.HostFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** All sessions of the node in sysfs, also those that the library did not begin. Thread-safe. */
final class IscsiSessions {
    private static final Path SESSIONS = Path.of("/sys/class/iscsi_session");
    private static final Path CONNECTIONS = Path.of("/sys/class/iscsi_connection");

    private final HostFiles files;
    private final ScsiDisks disks;

    IscsiSessions(HostFiles files, ScsiDisks disks) {
        this.files = files;
        this.disks = disks;
    }

    /**
     * A session.
     *
     * @param device its path in sysfs, without links
     * @param host of the SCSI subsystem
     */
    record Session(Path device, String host, List<String> addresses) {
        Session {
            addresses = Collections.unmodifiableList(new ArrayList<>(addresses));
        }

        boolean isAt(IscsiPortal portal) {
            return addresses.stream().anyMatch(address -> {
                int space = address.indexOf(' ');
                return portal.is(address.substring(0, space), address.substring(space + 1));
            });
        }
    }

    /** The sessions with the target over the interface, in the order of their names. */
    List<Session> with(String target, String iface) {
        List<Session> found = new ArrayList<>();
        for (String name : files.listRoot(SESSIONS)) {
            Path session = SESSIONS.resolve(name);
            if (disks.attribute(session, "targetname").equals(target)
                    && disks.attribute(session, "ifacename").equals(iface)) {
                files.resolve(session.resolve("device"))
                        .ifPresent(device -> found.add(new Session(device, host(device), addresses(device))));
            }
        }
        return found;
    }

    /** The session's disks with that unit number. */
    List<String> disks(Session session, int lun) {
        return disks(session, unit -> ScsiDisks.isUnit(unit, lun));
    }

    /** The disks of all units of the session. */
    List<String> disks(Session session) {
        return disks(session, unit -> unit.contains(":"));
    }

    private List<String> disks(Session session, Predicate<String> wanted) {
        List<String> found = new ArrayList<>();
        for (String target : files.listRoot(session.device())) {
            if (target.startsWith("target")) {
                Path place = session.device().resolve(target);
                for (String unit : files.listRoot(place)) {
                    if (wanted.test(unit)) {
                        found.addAll(files.listRoot(place.resolve(unit).resolve("block")));
                    }
                }
            }
        }
        return found;
    }

    private static String host(Path device) {
        Path host = device.getParent();
        return host == null ? "" : String.valueOf(host.getFileName());
    }

    /** The requested and the real address, which differ after a redirection. */
    private List<String> addresses(Path device) {
        List<String> addresses = new ArrayList<>();
        for (String name : files.listRoot(device)) {
            if (name.startsWith("connection")) {
                Path connection = CONNECTIONS.resolve(name);
                for (String kind : List.of("persistent_", "")) {
                    addresses.add(disks.attribute(connection, kind + "address") + " "
                            + disks.attribute(connection, kind + "port"));
                }
            }
        }
        return addresses;
    }
}
