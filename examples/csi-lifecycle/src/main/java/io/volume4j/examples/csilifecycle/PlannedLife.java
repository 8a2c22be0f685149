package io.volume4j.examples.csilifecycle;

import io.volume4j.examples.commandline.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Parts of a plan that run one after the other, with one volume.
 *
 * @param id empty for the only life
 */
record PlannedLife(String id, List<Plan.Part> parts) {
    /** The parts that need only a volume, by the life that runs them if several run concurrently. */
    private static final Map<String, Set<String>> APART = apart();

    private static Map<String, Set<String>> apart() {
        Map<String, Set<String>> apart = new LinkedHashMap<>();
        apart.put(Plan.SNAPSHOT, Set.of("snapshot", "snapshot metadata", "restore", "delete the snapshot"));
        apart.put(Plan.CLONE, Set.of("clone"));
        apart.put("group", Set.of("group snapshot"));
        apart.put(Plan.INLINE, Set.of("inline volume"));
        return Collections.unmodifiableMap(apart);
    }

    PlannedLife {
        parts = List.copyOf(parts);
    }

    boolean isKilled() {
        return parts.stream().anyMatch(part -> part.kill() != null);
    }

    /**
     * The independent lives, each with its own volume. If only one may run at a time, one life has all parts; each moment of a
     * kill has an additional life. A focus on moments omits the other lives.
     *
     * @param atOnce most concurrent lives
     */
    static List<PlannedLife> of(List<Plan.Part> parts, Arguments wanted, int atOnce) {
        List<PlannedLife> lives = new ArrayList<>();
        boolean onlyMoments = wanted.focus().stream().anyMatch(Plan::isMoment);
        if (!onlyMoments) {
            lives.addAll(atOnce == 1 ? List.of(new PlannedLife("", parts)) : split(parts));
        } else if (wanted.kill().isEmpty()) {
            throw new Usage("--focus on a moment of killing needs --kill");
        }
        for (Moment moment : wanted.kill().isEmpty() ? new Moment[0] : Moment.values()) {
            if (!onlyMoments || wanted.focus().contains(moment.id())) {
                lives.add(new PlannedLife(
                        moment.id(),
                        parts.stream()
                                .map(part -> part.killed(moment))
                                .filter(part -> !part.steps().isEmpty())
                                .toList()));
            }
        }
        return lives;
    }

    private static List<PlannedLife> split(List<Plan.Part> parts) {
        Set<String> elsewhere = new HashSet<>();
        List<PlannedLife> lives = new ArrayList<>();
        APART.forEach((id, titles) -> {
            boolean any = parts.stream()
                    .anyMatch(part ->
                            titles.contains(part.title()) && !part.steps().isEmpty());
            boolean more = parts.stream().anyMatch(part -> part.title().equals("provision"));
            if (any && more) {
                Set<String> needed = new HashSet<>(id.equals(Plan.INLINE) ? Set.of() : Plan.GROUND);
                needed.remove("identity");
                needed.addAll(titles);
                elsewhere.addAll(titles);
                lives.add(new PlannedLife(
                        id,
                        parts.stream()
                                .filter(part -> needed.contains(part.title()))
                                .toList()));
            }
        });
        lives.add(
                0,
                new PlannedLife(
                        Plan.MAIN,
                        parts.stream()
                                .filter(part -> !elsewhere.contains(part.title()))
                                .toList()));
        return lives;
    }

    /** The parts of all lives in their order, each once. */
    static List<Plan.Part> all(List<Plan.Part> parts, List<PlannedLife> lives) {
        List<Plan.Part> all = new ArrayList<>();
        if (lives.stream().anyMatch(life -> !life.isKilled())) {
            all.addAll(parts);
        }
        lives.stream().filter(PlannedLife::isKilled).forEach(life -> all.addAll(life.parts()));
        return all;
    }
}
