package io.volume4j.examples.agent.hosts;

import io.volume4j.csi.driver.oracle.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Sees from outside what went wrong: by what the driver was asked to do, and by what stands in the volumes and snapshots. Each line names
 * the pod that wrote it. The lines of one pod must stand together, for a pod that writes after another one began has kept a volume that
 * was given away.
 */
final class Judge {
    private final Hosts hosts;
    private final Workload workload;
    private final Set<String> found = new TreeSet<>();

    Judge(Hosts hosts, Workload workload) {
        this.hosts = hosts;
        this.workload = workload;
    }

    /** All violations so far. */
    Set<String> violations() throws IOException {
        for (Violation each : hosts.driver.oracle().violations()) {
            if (found.add(each.toString())) {
                System.out.println("judge: " + each);
            }
        }
        for (Path file : files()) {
            turns(Files.readAllLines(file)).forEach(text -> {
                if (found.add(file + ": " + text)) {
                    System.out.println("judge: " + text);
                }
            });
        }
        for (String each : workload.wrong()) {
            if (found.add(each)) {
                System.out.println("judge: " + each);
            }
        }
        return found;
    }

    long linesWritten() throws IOException {
        long lines = 0;
        for (Path file : files()) {
            lines += Files.readAllLines(file).size();
        }
        return lines;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(hosts.storage())) {
            return all.filter(each -> each.endsWith("writes")).toList();
        }
    }

    /** @return which pods wrote after another pod had begun */
    static List<String> turns(List<String> lines) {
        List<String> wrong = new ArrayList<>();
        Set<String> before = new HashSet<>();
        String now = "";
        for (String line : lines) {
            String pod = line.substring(0, Math.max(0, line.indexOf(' ')));
            if (!pod.equals(now)) {
                before.add(now);
                if (before.contains(pod)) {
                    wrong.add(pod + " wrote again after " + now + " had begun");
                }
                now = pod;
            }
        }
        return wrong;
    }
}
