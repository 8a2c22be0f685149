package io.volume4j.core.node.attach;

import io.volume4j.spi.VolumeId;

/** Tells the engine which volumes it must look at. Loop thread only. */
public interface VolumeMarks {
    void add(VolumeId id);

    /** Marks the volume of that name. A name that is no volume's name is ignored. */
    void addNamed(String volume);

    /** Marks all volumes that are or may be here. */
    void addPresent();
}
