package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.Programs.Command;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * iscsiadm(8), one method for each command. It has no operands. Every value was checked not to begin with a dash, and
 * none is a secret. Thread-safe.
 */
final class IscsiTool {
    /** Exit codes of iscsiadm; its manual, under EXIT STATUS. */
    private static final int SESSION_EXISTS = 15;

    private static final int NO_DAEMON = 20;
    private static final int NOTHING_FOUND = 21;
    private static final int REFUSED = 24;
    /** The transport failed, there is no connection, or a timeout: the target is unreachable. */
    private static final List<Integer> UNREACHABLE = List.of(4, 8, 11);

    private static final Duration SHORT = Duration.ofSeconds(30);
    /** The daemon tries four times, for half a minute each. */
    private static final Duration LOGIN = Duration.ofSeconds(150);

    private final MountBackend backend;

    IscsiTool(MountBackend backend) {
        this.backend = backend;
    }

    /** The result of a query for a portal's targets. */
    record Discovery(boolean reached, boolean told, Optional<String> group, String failure) {}

    /**
     * Queries the portal for its targets, without recording any.
     *
     * @param prepared whether to use the existing record of the portal, which contains credentials
     * @return the target's portal group, if the portal lists the target
     */
    Discovery discover(IscsiPortal portal, IscsiTarget target, boolean prepared, CallContext context) {
        List<String> line = new ArrayList<>(prepared ? discoveryRecord(portal) : List.of());
        if (prepared) {
            line.add("--discover");
        } else {
            line.addAll(List.of("-m", "discovery", "-t", "sendtargets", "-p", portal.toString()));
        }
        line.addAll(List.of("-I", target.iface(), "-o", "nonpersistent"));
        Outcome outcome = run(SHORT, context, line);
        if (outcome.ending() != Ending.EXITED || outcome.exitCode() != 0) {
            boolean reached = outcome.ending() == Ending.EXITED && !UNREACHABLE.contains(outcome.exitCode());
            return new Discovery(reached, false, Optional.empty(), said(outcome));
        }
        return new Discovery(
                true, true, group(outcome.output(), portal, target.unit().target()), "");
    }

    /** Finds the group. Lines are {@code 10.0.0.1:3260,1 iqn…}; a portal with a name appears with its address. */
    private static Optional<String> group(String output, IscsiPortal portal, String name) {
        List<String> groups = new ArrayList<>();
        for (String line : output.split("\n", -1)) {
            String[] words = line.strip().split(" ", -1);
            int comma = words[0].lastIndexOf(',');
            if (words.length == 2 && words[1].equals(name) && comma > 0) {
                String group = words[0].substring(comma + 1);
                int colon = words[0].lastIndexOf(':', comma);
                String host = words[0].substring(0, Math.max(colon, 0)).replaceAll("[\\[\\]]", "");
                if (portal.is(host, words[0].substring(colon + 1, comma))) {
                    return Optional.of(group);
                }
                groups.add(group);
            }
        }
        return groups.size() == 1 ? Optional.of(groups.get(0)) : Optional.empty();
    }

    void makeDiscoveryRecord(IscsiPortal portal, IscsiTarget target, CallContext context) {
        List<String> line = new ArrayList<>(discoveryRecord(portal));
        line.addAll(List.of("-I", target.iface(), "-o", "new"));
        require("record portal " + portal, run(SHORT, context, line));
    }

    void deleteDiscoveryRecord(IscsiPortal portal, CallContext context) {
        List<String> line = new ArrayList<>(discoveryRecord(portal));
        line.addAll(List.of("-o", "delete"));
        requireOrAbsent("forget portal " + portal, run(SHORT, context, line));
    }

    private static List<String> discoveryRecord(IscsiPortal portal) {
        return List.of("-m", "discoverydb", "-t", "sendtargets", "-p", portal.toString());
    }

    /** @param group the portal group, empty if unknown */
    void makeNodeRecord(IscsiPortal portal, Optional<String> group, IscsiTarget target, CallContext context) {
        String place = portal + group.map(number -> "," + number).orElse("");
        require(
                "record " + place,
                run(SHORT, context, node(target.unit().target(), place, target.iface(), "-o", "new")));
    }

    /** Makes only the requested unit appear. Versions before 2.0.874 do not have this setting. */
    void scanOnDemand(IscsiPortal portal, IscsiTarget target, CallContext context) {
        var unused = run(
                SHORT,
                context,
                node(
                        target.unit().target(),
                        portal.toString(),
                        target.iface(),
                        "-o",
                        "update",
                        "-n",
                        "node.session.scan",
                        "-v",
                        "manual"));
    }

    /** Logs in. Succeeds if there is a session. */
    void login(IscsiPortal portal, IscsiTarget target, CallContext context) {
        Outcome outcome =
                run(LOGIN, context, node(target.unit().target(), portal.toString(), target.iface(), "--login"));
        if (!hasSession(outcome)) {
            require("log in to " + target.unit().target() + " at " + portal, outcome);
        }
    }

    /** Logs out. Succeeds if there is no session. */
    void logout(IscsiPortal portal, String target, String iface, CallContext context) {
        requireOrAbsent(
                "log out of " + target + " at " + portal,
                run(LOGIN, context, node(target, portal.toString(), iface, "--logout")));
    }

    void deleteNodeRecord(IscsiPortal portal, String target, String iface, CallContext context) {
        requireOrAbsent(
                "forget " + target + " at " + portal,
                run(SHORT, context, node(target, portal.toString(), iface, "-o", "delete")));
    }

    private static List<String> node(String target, String portal, String iface, String... rest) {
        List<String> line = new ArrayList<>(List.of("-m", "node", "-T", target, "-p", portal, "-I", iface));
        line.addAll(Arrays.asList(rest));
        return line;
    }

    /**
     * Creates the interface as a copy of its base, with its own initiator name. iscsiadm refuses this while a session with
     * any target uses the interface: then it has these settings, because its name comes from them.
     */
    void makeInterface(IscsiTarget target, CallContext context) {
        Map<String, String> settings = new LinkedHashMap<>();
        Outcome base = run(SHORT, context, List.of("-m", "iface", "-I", target.baseIface(), "-o", "show"));
        require("look at interface " + target.baseIface(), base);
        for (String line : base.output().split("\n", -1)) {
            String[] parts = line.strip().split(" = ", 2);
            if (parts.length == 2
                    && parts[0].startsWith("iface.")
                    && !parts[0].equals("iface.iscsi_ifacename")
                    && !parts[1].equals("<empty>")) {
                settings.put(parts[0], parts[1]);
            }
        }
        settings.put("iface.initiatorname", target.initiatorName());
        Outcome made = run(SHORT, context, iface(target.iface(), "-o", "new"));
        if (hasSession(made)) {
            return;
        }
        require("make interface " + target.iface(), made);
        settings.forEach((name, value) -> require(
                "set " + name + " of interface " + target.iface(),
                run(SHORT, context, iface(target.iface(), "-o", "update", "-n", name, "-v", value))));
    }

    /** Deletes the interface. iscsiadm refuses this while a session uses the interface: then it stays with that session. */
    void deleteInterface(String name, CallContext context) {
        Outcome deleted = run(SHORT, context, iface(name, "-o", "delete"));
        if (!hasSession(deleted)) {
            requireOrAbsent("delete interface " + name, deleted);
        }
    }

    private static List<String> iface(String name, String... rest) {
        List<String> line = new ArrayList<>(List.of("-m", "iface", "-I", name));
        line.addAll(Arrays.asList(rest));
        return line;
    }

    void requireInstalled() {
        var unused = program();
    }

    private Outcome run(Duration limit, CallContext context, List<String> line) {
        return backend.programs().run(new Command(program(), line, limit), context);
    }

    private Path program() {
        return backend.programs()
                .find("iscsiadm")
                .orElseThrow(() -> VolumeException.finalFailure("there is no iscsiadm on this machine")
                        .withAdvice("install the package open-iscsi or iscsi-initiator-utils"));
    }

    private static boolean hasSession(Outcome outcome) {
        return outcome.ending() == Ending.EXITED && outcome.exitCode() == SESSION_EXISTS;
    }

    private static void requireOrAbsent(String tried, Outcome outcome) {
        if (outcome.ending() != Ending.EXITED || outcome.exitCode() != NOTHING_FOUND) {
            require(tried, outcome);
        }
    }

    private static void require(String tried, Outcome outcome) {
        if (outcome.ending() != Ending.EXITED) {
            throw VolumeException.uncertain("cannot " + tried + ": iscsiadm was killed: " + outcome.ending());
        }
        if (outcome.exitCode() != 0) {
            throw VolumeException.of(FailureKind.TRANSIENT, "cannot " + tried + ": " + said(outcome))
                    .withAdvice(advice(outcome.exitCode()));
        }
    }

    private static String said(Outcome outcome) {
        return outcome.ending() == Ending.EXITED
                ? "iscsiadm ended with " + outcome.exitCode() + ": "
                        + MessageText.text(outcome.output().strip().replaceAll("\\s*\\R\\s*", " | "))
                : "iscsiadm was killed: " + outcome.ending();
    }

    private static String advice(int exitCode) {
        return switch (exitCode) {
            case NO_DAEMON -> "start iscsid on this machine";
            case REFUSED -> "the target refuses this initiator: see its access list, and the volume's secret";
            default -> "";
        };
    }
}
