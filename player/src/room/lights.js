// Sky, sun and what glossy bodies reflect.
import {DirectionalLight, HemisphereLight, PMREMGenerator} from 'three';
import {RoomEnvironment} from 'three/examples/jsm/environments/RoomEnvironment.js';

/// Lights the scene and returns the sun; `towards` is the direction from the stage to the camera.
export function addLights(scene, renderer, {up, centre, radius}, towards) {
  const generator = new PMREMGenerator(renderer);
  scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
  scene.environmentIntensity = 0.38;
  generator.dispose();

  const sky = new HemisphereLight('#eef4ff', '#b9ad9c', 0.7);
  sky.position.copy(up);

  const sun = new DirectionalLight('#fff1dc', 2.5);
  const side = towards.clone().projectOnPlane(up).normalize();
  const right = side.clone().cross(up).negate();
  sun.position.copy(centre).addScaledVector(up, 1.9 * radius).addScaledVector(side, 1.35 * radius)
    .addScaledVector(right, 0.7 * radius);
  sun.target.position.copy(centre);
  sun.castShadow = true;
  const reach = 1.1 * radius;
  Object.assign(sun.shadow.camera, {left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius,
    far: 5 * radius});
  sun.shadow.bias = -4e-4;
  sun.shadow.normalBias = radius / 600;
  sun.shadow.radius = 3;
  scene.add(sky, sun, sun.target);
  return sun;
}
