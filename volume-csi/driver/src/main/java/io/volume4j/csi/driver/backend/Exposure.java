package io.volume4j.csi.driver.backend;

import java.nio.file.Path;
import java.util.List;

/** How a volume's content appears at the paths that a caller names. Every effect may be repeated. */
interface Exposure {
    /** Shows a directory at the staging directory, which exists. */
    void stage(Path files, Path staging);

    /** Takes it away again; the staging directory stays. */
    void unstage(Path staging);

    /** Makes the target and shows a directory there. */
    void publishFiles(Path files, Path target, boolean readOnly);

    /** Makes the target and shows a block device there. */
    void publishDevice(Path image, Path target, boolean readOnly);

    /** Takes away what shows at the target, and the target. */
    void unpublish(Path target);

    /** What shows at the target stops showing, and the target stays, as when a machine starts anew. */
    void vanish(Path target);

    /** The image is in use no more. */
    void release(Path image);

    /** The image has grown. */
    void grown(Path image);

    /** No image below the directory is in use any more. */
    void releaseAll(Path contents);

    /** Gives back what it holds itself; what it shows stays. */
    void close();

    /** The mounts and devices of ours that are there, for people. */
    List<String> present(List<Path> targets, Path contents);
}
