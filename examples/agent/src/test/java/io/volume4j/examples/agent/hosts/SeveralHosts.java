package io.volume4j.examples.agent.hosts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The program in which the hosts run: {@code DIRECTORY NODES SECONDS SEED true|false}, the last one whether watchdogs act. */
final class SeveralHosts {
    private static final int UNTIL_ALL_IS_THERE = 300;

    private SeveralHosts() {}

    public static void main(String[] words) throws Exception {
        Path directory = Path.of(words[0]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(words[3]));
        boolean watchdogsAct = Boolean.parseBoolean(words[4]);
        Set<String> violations;
        List<String> missing;
        try (Hosts hosts = new Hosts(directory, Integer.parseInt(words[1]), watchdogsAct)) {
            Workload workload = new Workload(hosts, random.split(), 4);
            Judge judge = new Judge(hosts, workload);
            missing = untilAllIsThere(hosts, workload);
            if (!missing.isEmpty()) {
                System.out.println("all is there at the beginning: no, " + missing);
                Runtime.getRuntime().halt(1);
            }
            Nemesis nemesis = new Nemesis(hosts, workload, random.split());
            if (watchdogsAct) {
                trouble(hosts, workload, nemesis, judge, random, Integer.parseInt(words[2]));
            } else {
                lie(hosts, workload, judge);
            }
            // after a lie the storage rightly refuses to give the volumes away
            missing = watchdogsAct ? untilAllIsThere(hosts, workload) : List.of();
            violations = judge.violations();
            System.out.println(
                    judge.linesWritten() + " lines, " + violations.size() + " violations, missing: " + missing);
            Files.writeString(directory.resolve("violations"), String.join("\n", violations));
            Files.writeString(directory.resolve("missing"), String.join("\n", missing));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void trouble(
            Hosts hosts, Workload workload, Nemesis nemesis, Judge judge, SplittableRandom random, int seconds)
            throws Exception {
        long start = System.nanoTime();
        long harmAt = start;
        long moveAt = start;
        while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds)) {
            if (System.nanoTime() - harmAt >= 0) {
                nemesis.harm();
                harmAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(random.nextInt(5, 2 * Hosts.LEASE));
                moveAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            }
            if (System.nanoTime() - moveAt >= 0) {
                workload.changeOne();
                moveAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(random.nextInt(3, 15));
            }
            look(hosts, workload);
            var unused = judge.violations();
        }
        nemesis.heal();
    }

    /** The agent of a node stands still for longer than its lease, and no watchdog resets its machine. */
    private static void lie(Hosts hosts, Workload workload, Judge judge) throws Exception {
        Host node = hosts.nodes.get(0);
        node.signalProgram("STOP");
        node.cut(true);
        workload.moveAllFrom(node);
        for (int seconds = 0; seconds < 240 && judge.violations().isEmpty(); seconds++) {
            look(hosts, workload);
        }
    }

    private static List<String> untilAllIsThere(Hosts hosts, Workload workload) throws Exception {
        for (int seconds = 0;
                seconds < UNTIL_ALL_IS_THERE && !workload.missing().isEmpty();
                seconds++) {
            look(hosts, workload);
        }
        return workload.missing();
    }

    private static void look(Hosts hosts, Workload workload) throws Exception {
        hosts.supervise();
        workload.runContainers();
        Nemesis.pause(1);
    }
}
