import { Skeleton, SkeletonRows } from "@/components/states";

import styles from "./layout.module.css";

/** The page's parts at their final sizes, until the run is known. */
export function PageSkeleton() {
  return (
    <div className={styles["page"]}>
      <div className={styles["skeletonHead"]}>
        <Skeleton width="40%" />
        <Skeleton width="24%" />
      </div>
      <div className={styles["skeletonLanes"]}>
        <SkeletonRows rows={5} height={30} />
      </div>
      <SkeletonRows rows={8} height={48} />
    </div>
  );
}
