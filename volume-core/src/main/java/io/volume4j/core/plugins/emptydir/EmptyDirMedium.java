package io.volume4j.core.plugins.emptydir;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The medium of an emptyDir. Pure.
 *
 * @param pageSize of huge pages as the medium names it ({@code 2Mi}), {@code ""} for the only size that the pod
 *     requests
 */
public record EmptyDirMedium(Kind kind, String pageSize) {
    private static final String HUGE_PAGES = "HugePages";
    private static final String RESOURCE = "hugepages-";

    /** The storage of the content. */
    enum Kind {
        DISK,
        MEMORY,
        HUGE_PAGES
    }

    public static EmptyDirMedium of(EmptyDirSource source) {
        String medium = source.medium();
        if (medium.isEmpty()) {
            return new EmptyDirMedium(Kind.DISK, "");
        }
        if (medium.equals("Memory")) {
            return new EmptyDirMedium(Kind.MEMORY, "");
        }
        if (medium.equals(HUGE_PAGES)) {
            return new EmptyDirMedium(Kind.HUGE_PAGES, "");
        }
        if (medium.startsWith(HUGE_PAGES + "-")) {
            String size = medium.substring(HUGE_PAGES.length() + 1);
            pageBytes(size);
            return new EmptyDirMedium(Kind.HUGE_PAGES, size);
        }
        throw VolumeException.finalFailure("emptyDir has medium " + MessageText.text(medium)
                + "; known are \"\", Memory, HugePages and HugePages-<size>");
    }

    public boolean inMemory() {
        return kind == Kind.MEMORY;
    }

    /**
     * Huge pages that a pod requests.
     *
     * @param pageBytes size of one page
     * @param totalBytes of all pages
     */
    record HugePages(long pageBytes, long totalBytes) {}

    /**
     * The pages of this medium that the pod requests.
     *
     * @throws VolumeException final, if the pod requests none, or requests several sizes and the medium names none
     */
    HugePages requestedBy(Pod pod) {
        SortedMap<Long, Long> asked = hugePagesOf(pod);
        if (!pageSize.isEmpty()) {
            long bytes = pageBytes(pageSize);
            Long total = asked.get(bytes);
            if (total == null) {
                throw VolumeException.finalFailure("emptyDir has medium HugePages-" + pageSize
                        + ", and no container of the pod requests " + RESOURCE + pageSize);
            }
            return new HugePages(bytes, total);
        }
        if (asked.isEmpty()) {
            throw VolumeException.finalFailure(
                    "emptyDir has medium HugePages, and no container of the pod requests huge pages");
        }
        if (asked.size() > 1) {
            throw VolumeException.finalFailure("emptyDir has medium HugePages, and the pod requests pages of several"
                    + " sizes: "
                    + asked.keySet().stream().map(Quantity::ofBytes).toList()
                    + "; say which with HugePages-<size>");
        }
        Map.Entry<Long, Long> only = asked.entrySet().iterator().next();
        return new HugePages(only.getKey(), only.getValue());
    }

    /**
     * By page size. As for every resource, a pod needs the sum of its containers, sidecars included, or what an init
     * container needs together with the sidecars that run already.
     */
    private static SortedMap<Long, Long> hugePagesOf(Pod pod) {
        Map<Long, Long> sidecars = new TreeMap<>();
        SortedMap<Long, Long> needed = new TreeMap<>();
        for (Container container : pod.spec().initContainers()) {
            requests(container).forEach((size, bytes) -> {
                long beside = Math.addExact(sidecars.getOrDefault(size, 0L), bytes);
                needed.merge(size, beside, Math::max);
                if (container.alwaysRestarts()) {
                    sidecars.put(size, beside);
                }
            });
        }
        Map<Long, Long> together = new TreeMap<>(sidecars);
        for (Container container : pod.spec().containers()) {
            requests(container).forEach((size, bytes) -> together.merge(size, bytes, Math::addExact));
        }
        together.forEach((size, bytes) -> needed.merge(size, bytes, Math::max));
        return needed;
    }

    private static Map<Long, Long> requests(Container container) {
        Map<Long, Long> found = new TreeMap<>();
        container.limits().forEach((name, amount) -> note(found, name, amount));
        container.requests().forEach((name, amount) -> note(found, name, amount));
        return found;
    }

    private static void note(Map<Long, Long> found, String name, Quantity amount) {
        if (name.startsWith(RESOURCE) && amount.signum() > 0) {
            found.put(pageBytes(name.substring(RESOURCE.length())), amount.bytes());
        }
    }

    private static long pageBytes(String size) {
        try {
            long bytes = Quantity.parse(size).bytes();
            if (bytes > 0 && Long.bitCount(bytes) == 1) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw VolumeException.finalFailure("no size of huge pages: " + e.getMessage())
                    .withCause(e);
        }
        throw VolumeException.finalFailure("no size of huge pages: " + MessageText.text(size) + " is no power of two");
    }
}
