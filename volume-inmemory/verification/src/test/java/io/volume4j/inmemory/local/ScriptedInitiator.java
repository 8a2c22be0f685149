package io.volume4j.inmemory.local;

import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * open-iscsi and its targets on a machine in memory: records every command line of iscsiadm, keeps its records in the files
 * where 2.1.8 keeps them, and ends with its exit codes.
 */
final class ScriptedInitiator {
    private static final Path RECORDS = Path.of("/etc/iscsi");
    private static final String DISCOVERY_RECORD = """
            # BEGIN RECORD 2.1.8
            discovery.startup = manual
            discovery.sendtargets.auth.authmethod = None
            # END RECORD
            """;
    private static final Path PLATFORM = Path.of("/sys/devices/platform");

    final List<String> calls = new ArrayList<>();
    final ScsiBus bus;
    /** What the next command of the word ends with, instead of doing anything. */
    final Map<String, Outcome> ends = new LinkedHashMap<>();
    /** What happens elsewhere while the next command with a text like the expression runs, before its effect. */
    final Map<String, Runnable> meanwhile = new LinkedHashMap<>();
    /** Portals at which no target answers. */
    final Set<String> dead = new LinkedHashSet<>();
    /** Targets that let in but do not tell of themselves. */
    boolean hidden;

    private final InMemoryMountBackend machine;
    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private int numbers;

    private record Target(Set<String> portals, Map<String, String> units, String user, String password) {}

    private record Session(String name, Path device, String host, Target target, boolean scansAll) {}

    ScriptedInitiator(InMemoryMountBackend machine) {
        this.machine = machine;
        this.bus = new ScsiBus(machine);
        machine.user().makeDirectory(RECORDS);
        machine.install(Path.of("/usr/sbin/iscsiadm"), this::run);
    }

    /** A target; one that wants no credentials has none. */
    void target(String name, Set<String> portals, Map<String, String> units, String user, String password) {
        units.values().forEach(storage -> bus.storage(storage, 1L << 30));
        targets.put(name, new Target(portals, units, user, password));
    }

    void target(String name, Set<String> portals, Map<String, String> units) {
        target(name, portals, units, "", "");
    }

    /** As another program would log in. */
    void logInByHand(String name, String portal) {
        begin(name, portal, "default", true);
    }

    /** As another program would make a unit appear in a session with the default interface; its device. */
    String scanByHand(String name, String portal, String unit) {
        return scanByHand(name, portal, unit, "default");
    }

    String scanByHand(String name, String portal, String unit, String iface) {
        Session session = sessions.get(name + " " + portal + " " + iface);
        if (session == null) {
            throw new IllegalStateException("no session with " + name + " at " + portal);
        }
        List<String> before = bus.disks();
        appear(session, portal, name, unit);
        return "/dev/"
                + bus.disks().stream()
                        .filter(disk -> !before.contains(disk))
                        .findFirst()
                        .orElseThrow();
    }

    List<String> sessions() {
        return List.copyOf(sessions.keySet());
    }

    /** What is recorded of nodes and portals: paths below the directory of records. */
    List<String> records() {
        List<String> found = new ArrayList<>();
        collect(RECORDS, found);
        return found;
    }

    private void collect(Path directory, List<String> found) {
        for (String name : machine.user().list(directory)) {
            Path path = directory.resolve(name);
            boolean file = machine.files()
                            .status(RootedPath.of(Path.of("/"), path.toString().substring(1)))
                            .orElseThrow()
                            .type()
                    == FileStatus.Type.FILE;
            if (file) {
                found.add(RECORDS.relativize(path).toString());
            } else {
                collect(path, found);
            }
        }
    }

    /** Sessions do not outlive a restart of the machine; records do. */
    void reboot() {
        List.copyOf(sessions.keySet()).forEach(this::end);
        bus.reboot();
    }

    /** Commands without those that only look, each as one line. */
    List<String> commands() {
        return calls;
    }

    private Outcome run(Command command) {
        List<String> line = command.arguments();
        calls.add(String.join(" ", line));
        for (String word : List.copyOf(ends.keySet())) {
            if (line.contains(word)) {
                Outcome outcome = ends.remove(word);
                if (outcome != null) {
                    return outcome;
                }
            }
        }
        for (String expression : List.copyOf(meanwhile.keySet())) {
            if (Pattern.compile(expression).matcher(String.join(" ", line)).find()) {
                Objects.requireNonNull(meanwhile.remove(expression)).run();
            }
        }
        String mode = option(line, "-m");
        return switch (mode) {
            case "discovery" -> discover(line, "");
            case "discoverydb" -> discoveryRecord(line);
            case "node" -> node(line);
            case "iface" -> iface(line);
            default -> ended(7, "iscsiadm: unrecognised mode");
        };
    }

    private Outcome discoveryRecord(List<String> line) {
        Path directory =
                RECORDS.resolve("send_targets").resolve(option(line, "-p").replace(":", ","));
        Path record = directory.resolve("st_config");
        if (line.contains("--discover")) {
            return discover(line, text(record));
        }
        if (option(line, "-o").equals("new")) {
            bus.write(record, DISCOVERY_RECORD);
            return ended(0, "New discovery record added.");
        }
        machine.user().remove(directory);
        return ended(0, "");
    }

    private Outcome discover(List<String> line, String record) {
        String portal = option(line, "-p");
        if (dead.contains(portal)) {
            return ended(11, "iscsiadm: cannot make connection to " + portal + ": Connection refused");
        }
        StringBuilder output = new StringBuilder();
        targets.forEach((name, target) -> {
            boolean open = target.user().isEmpty() || record.contains("auth.password = " + target.password() + "\n");
            if (target.portals().contains(portal) && open) {
                target.portals()
                        .forEach(each ->
                                output.append(each).append(",1 ").append(name).append('\n'));
            }
        });
        return output.isEmpty() || hidden ? ended(21, "iscsiadm: No portals found") : ended(0, output.toString());
    }

    private Outcome node(List<String> line) {
        String name = option(line, "-T");
        String[] portal = option(line, "-p").split(",", -1);
        String iface = option(line, "-I");
        Path directory = RECORDS.resolve("nodes").resolve(name);
        Path plain = directory.resolve(portal[0].replace(":", ","));
        Path record = exists(plain) && !exists(directory.resolve(plain.getFileName() + ",1"))
                ? plain
                : directory.resolve(plain.getFileName() + ",1").resolve(iface);
        String key = name + " " + portal[0] + " " + iface;
        if (line.contains("--login")) {
            return login(record, name, portal[0], iface, key);
        }
        if (line.contains("--logout")) {
            if (!sessions.containsKey(key)) {
                return ended(21, "iscsiadm: No matching sessions found");
            }
            end(key);
            return ended(0, "Logout successful.");
        }
        switch (option(line, "-o")) {
            case "new":
                Path made = portal.length == 1
                        ? plain
                        : directory.resolve(plain.getFileName() + ",1").resolve(iface);
                bus.write(
                        made,
                        "# BEGIN RECORD 2.1.8\nnode.name = " + name
                                + "\nnode.session.auth.authmethod = None\nnode.session.scan = auto\n# END RECORD\n");
                return ended(0, "New iSCSI node added");
            case "update":
                if (!exists(record)) {
                    return ended(21, "iscsiadm: No records found");
                }
                bus.write(
                        record, text(record).replace(option(line, "-n") + " = auto", option(line, "-n") + " = manual"));
                return ended(0, "");
            case "delete":
                if (!exists(record)) {
                    return ended(21, "iscsiadm: No records found");
                }
                machine.user().remove(record);
                return ended(0, "");
            default:
                return ended(7, "iscsiadm: unknown operation");
        }
    }

    private Outcome login(Path record, String name, String portal, String iface, String key) {
        Target target = targets.get(name);
        if (!exists(record)) {
            return ended(21, "iscsiadm: No records found");
        }
        if (sessions.containsKey(key)) {
            return ended(15, "iscsiadm: session exists");
        }
        if (target == null || !target.portals().contains(portal) || dead.contains(portal)) {
            return ended(8, "iscsiadm: initiator reported error (8 - connection timed out)");
        }
        String text = text(record);
        boolean open = target.user().isEmpty()
                || (text.contains("node.session.auth.authmethod = CHAP\n")
                        && text.contains("node.session.auth.username = " + target.user() + "\n")
                        && text.contains("node.session.auth.password = " + target.password() + "\n"));
        if (!open) {
            return ended(
                    24, "iscsiadm: initiator reported error (24 - iSCSI login failed due to authorization failure)");
        }
        begin(name, portal, iface, !text.contains("node.session.scan = manual"));
        return ended(0, "Login successful.");
    }

    private void begin(String name, String portal, String iface, boolean scansAll) {
        int number = ++numbers;
        Target target = targets.get(name);
        if (target == null) {
            throw new IllegalStateException("no target " + name);
        }
        String session = "session" + number;
        Path device = PLATFORM.resolve("host" + number).resolve(session);
        Path shown = Path.of("/sys/class/iscsi_session", session);
        bus.write(shown.resolve("targetname"), name + "\n");
        bus.write(shown.resolve("ifacename"), iface + "\n");
        machine.user().makeDirectory(device.resolve("connection" + number + ":0"));
        machine.user().link(shown.resolve("device"), device.toString());
        Path connection = Path.of("/sys/class/iscsi_connection", "connection" + number + ":0");
        int colon = portal.lastIndexOf(':');
        for (String kind : List.of("persistent_", "")) {
            bus.write(connection.resolve(kind + "address"), portal.substring(0, colon) + "\n");
            bus.write(connection.resolve(kind + "port"), portal.substring(colon + 1) + "\n");
        }
        Session begun = new Session(session, device, "host" + number, target, scansAll);
        sessions.put(name + " " + portal + " " + iface, begun);
        bus.host("host" + number, (host, unit) -> appear(begun, portal, name, unit));
        if (scansAll) {
            new TreeMap<>(target.units()).keySet().forEach(unit -> appear(begun, portal, name, unit));
        }
    }

    private void appear(Session session, String portal, String name, String unit) {
        String storage = session.target().units().get(unit);
        String address = session.host().substring("host".length()) + ":0:0:" + unit;
        Path target = session.device().resolve("target" + address.substring(0, address.lastIndexOf(':')));
        if (storage != null && !exists(target.resolve(address))) {
            String disk =
                    bus.appear(target.resolve(address), storage, "ip-" + portal + "-iscsi-" + name + "-lun-" + unit);
            if (disk.isEmpty()) {
                throw new IllegalStateException();
            }
        }
    }

    private void end(String key) {
        @Nullable Session session = sessions.remove(key);
        if (session == null) {
            throw new IllegalStateException("no session " + key);
        }
        bus.vanishBelow(session.device());
        String number = session.name().substring("session".length());
        machine.user().remove(PLATFORM.resolve(session.host()));
        machine.user().remove(Path.of("/sys/class/iscsi_session", session.name()));
        machine.user().remove(Path.of("/sys/class/iscsi_connection", "connection" + number + ":0"));
        machine.user().remove(Path.of("/sys/class/scsi_host", session.host()));
    }

    private Outcome iface(List<String> line) {
        Path file = RECORDS.resolve("ifaces").resolve(option(line, "-I"));
        switch (option(line, "-o")) {
            case "show":
                return ended(
                        0,
                        "# BEGIN RECORD 2.1.8\niface.iscsi_ifacename = " + option(line, "-I")
                                + "\niface.net_ifacename = <empty>\niface.transport_name = tcp\n# END RECORD\n");
            case "new":
                if (hasSession(option(line, "-I"))) {
                    return ended(15, "iscsiadm: Could not create new interface " + option(line, "-I") + ".");
                }
                bus.write(file, "");
                return ended(0, "");
            case "update":
                bus.write(file, text(file) + option(line, "-n") + " = " + option(line, "-v") + "\n");
                return ended(0, "");
            default:
                if (!exists(file)) {
                    return ended(21, "iscsiadm: No records found");
                }
                if (hasSession(option(line, "-I"))) {
                    return ended(15, "iscsiadm: Could not delete interface " + option(line, "-I") + ".");
                }
                machine.user().remove(file);
                return ended(0, "");
        }
    }

    private boolean hasSession(String iface) {
        return sessions.keySet().stream().anyMatch(key -> key.endsWith(" " + iface));
    }

    private boolean exists(Path path) {
        return machine.user().exists(path);
    }

    String text(Path file) {
        return new String(machine.user().read(file), StandardCharsets.UTF_8);
    }

    static Outcome ended(int code, String output) {
        return new Outcome(Ending.EXITED, code, output, false);
    }

    private static String option(List<String> line, String name) {
        int at = line.indexOf(name);
        if (at < 0) {
            throw new IllegalStateException("no " + name + " in " + line);
        }
        return line.get(at + 1);
    }
}
