package io.volume4j.inmemory.oracle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The formats of disks, and whether a format is permitted: by what processes have read of the disks, and not by their
 * content.
 */
final class Formats {
    private enum State {
        /** A format began, and its end was not observed. */
        BEGUN,
        MADE
    }

    private final Map<String, State> state = new HashMap<>();
    /** By disk: the process of its latest format. */
    private final Map<String, String> begunBy = new HashMap<>();

    private final Set<String> abandoned = new HashSet<>();
    /** By process: the disks that it has read since its start and since the last write to them. */
    private final Map<String, Set<String>> read = new HashMap<>();

    private final ClusterRules.Report report;

    Formats(ClusterRules.Report report) {
        this.report = report;
    }

    void read(String process, String disk) {
        read.computeIfAbsent(process, unused -> new HashSet<>()).add(disk);
    }

    void died(String process) {
        read.remove(process);
    }

    void asked(String process, String disk) {
        String call = "format " + disk;
        if (!read.getOrDefault(process, Set.of()).contains(disk)) {
            report.violate(Rule.S6, call, process + " could not or did not read what is on it");
        }
        if (state.get(disk) == State.MADE) {
            report.violate(Rule.S7, call, "it was formatted before, and no format is open");
        }
        if (needsPerson(disk)) {
            report.violate(
                    Rule.S7, call, "a format of it was begun before it left that node, so only a person may decide");
        }
    }

    void begun(String process, String disk) {
        state.put(disk, State.BEGUN);
        begunBy.put(disk, process);
    }

    void made(String disk) {
        state.put(disk, State.MADE);
        forget(disk);
    }

    /** The disk's volume left a node: no node may continue a format that began there. */
    void detached(String node, String disk) {
        if (state.get(disk) == State.BEGUN && node.equals(begunBy.get(disk))) {
            abandoned.add(disk);
        }
    }

    /** Whether only a person can confirm that the disk has no needed data. */
    boolean needsPerson(String disk) {
        return abandoned.contains(disk) && state.get(disk) == State.BEGUN;
    }

    /** A person erased the disk. */
    void reset(String disk) {
        state.remove(disk);
        begunBy.remove(disk);
        abandoned.remove(disk);
        forget(disk);
    }

    private void forget(String disk) {
        read.values().forEach(disks -> disks.remove(disk));
    }
}
